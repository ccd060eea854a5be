import { useState } from 'react';
import { api, type Concert, type Overview } from '../../api/index.js';
import { Link } from '../../app/link.js';
import { PageTitle } from '../../app/page-title.js';
import { useFormat, useLang, useText } from '../../i18n/index.js';
import { type Chart, SeatMap } from '../../seat-map/index.js';
import type { Account } from '../../session/index.js';
import { ErrorNotice, Loading, Notice, Spinner, useLoaded } from '../../ui/index.js';
import { BestSeats } from './best-seats.js';
import { ChosenSeats } from './chosen-seats.js';
import { RequireAdmission } from '../require-admission.js';
import { useChart, useSeatStates, useWithMine } from './use-seat-states.js';
import { useHold } from './use-hold.js';
import { useSelection } from './use-selection.js';

/** The default policy's limit, used until the overview has loaded. A refusal contains the actual limit. */
const DEFAULT_SEAT_LIMIT = 4;

interface Props {
  readonly concertId: string;
  readonly scheduleId: string;
}

/** The admitted fan. */
interface Fan {
  readonly token: string;
  readonly account: Account;
}

export default function SeatsPage({ concertId, scheduleId }: Props) {
  return (
    <RequireAdmission concertId={concertId}>
      {(token, account, overview) => <SeatsOfDate {...{ concertId, scheduleId, token, account, overview }} />}
    </RequireAdmission>
  );
}

interface OfDateProps extends Props, Fan {
  readonly overview: Overview | undefined;
}

function SeatsOfDate({ concertId, scheduleId, token, account, overview }: OfDateProps) {
  const chart = useChart(scheduleId, token);
  const concert = useLoaded(`concert ${concertId}`, (signal) =>
    api.get('/concerts/{id}', { params: { id: concertId }, signal }),
  );
  const startsAt = overview?.dates.find(({ id }) => id === scheduleId)?.startsAt;
  const limit = overview?.maxSeatsPerUser ?? DEFAULT_SEAT_LIMIT;
  // With one date there is no list of dates to go back to.
  const back = `/concerts/${concertId}${overview?.dates.length === 1 ? '' : '/dates'}`;
  return (
    <Loading of={chart}>
      {(value) => (
        <ChooseSeats
          {...{
            chart: value,
            concert: concert.value,
            token,
            account,
            startsAt,
            back,
            seatLimit: limit,
          }}
        />
      )}
    </Loading>
  );
}

interface ChooseProps extends Fan {
  readonly chart: Chart;
  readonly concert: Concert | undefined;
  readonly back: string;
  readonly startsAt: string | undefined;
  readonly seatLimit: number;
}

function ChooseSeats({ chart, concert, back, token, account, startsAt, seatLimit }: ChooseProps) {
  const { seats: text, common } = useText();
  const format = useFormat(concert?.timeZone);
  const lang = useLang();
  const [mode, setMode] = useState<'map' | 'list'>('map');
  const [refusedLimit, setRefusedLimit] = useState<number | undefined>();
  const { states: everybodys, connection, refused } = useSeatStates(chart, token);
  const states = useWithMine(everybodys, chart, account);
  // The limit counts the seats that the fan already holds on this date.
  const limit = Math.max(0, (refusedLimit ?? seatLimit) - (states?.mine.length ?? 0));
  const holding = useHold(chart.scheduleId, token, setRefusedLimit);
  const selection = useSelection(chart, states, limit, holding.isUncertain);
  if (refused) return <ErrorNotice error={refused} onRetry={() => location.reload()} />;
  const seatIds = [...selection.selected].map((seat) => chart.seats.id[seat] ?? '');
  return (
    <section className="seats-page">
      <div className="seats-head">
        <Link className="button button-quiet seats-back" href={back}>
          {common.back}
        </Link>
        <div className="seats-about">
          <PageTitle title={text.title}>{text.title}</PageTitle>
          {concert && <p className="seats-concert">{concert.title}</p>}
          <p className="soft seats-date">
            {concert && startsAt !== undefined && <span>{format.date(startsAt, 'short')}</span>}
            {states && <span>{text.free(format.number(states.free))}</span>}
          </p>
        </div>
        <ViewSwitch mode={mode} onChange={setMode} />
      </div>
      {connection === 'lost' && <Notice tone="warn">{text.lostConnection}</Notice>}
      {states?.free === 0 && <Notice tone="warn">{text.noneFree}</Notice>}
      {holding.error !== undefined && <ErrorNotice error={holding.error} />}
      <div className="seats-map">
        {states ? (
          <SeatMap
            {...{ chart, states, limit, lang, mode }}
            selected={selection.selected}
            onToggle={(seat) => {
              holding.clear();
              selection.toggle(seat);
            }}
          />
        ) : (
          <Spinner />
        )}
      </div>
      <ChosenSeats {...{ chart, selection, limit }} busy={holding.busy} onHold={() => holding.hold(seatIds)}>
        <BestSeats chart={chart} limit={limit} busy={holding.busy} onHoldBest={holding.holdBest} />
      </ChosenSeats>
    </section>
  );
}

function ViewSwitch({
  mode,
  onChange,
}: {
  readonly mode: 'map' | 'list';
  readonly onChange: (mode: 'map' | 'list') => void;
}) {
  const { seats: text } = useText();
  return (
    <div className="switch" role="group" aria-label={text.view}>
      {(['map', 'list'] as const).map((each) => (
        <button key={each} type="button" aria-pressed={mode === each} onClick={() => onChange(each)}>
          {each === 'map' ? text.asMap : text.asList}
        </button>
      ))}
    </div>
  );
}
