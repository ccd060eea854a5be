import { useState } from 'react';
import { useFormat, useLang } from '../../i18n/index.js';
import {
  type Chart,
  decodeChart,
  decodeState,
  SeatMap,
  seatName,
  type SeatStates,
} from '../../seat-map/index.js';
import { ErrorNotice, Loading, Spinner, useLoaded } from '../../ui/index.js';
import { operatorApi, type OperatorConcertDetails } from '../operator-api.js';
import { RadioGroup, Select } from '../form/fields.js';
import { useOperatorText } from '../texts/index.js';
import { SalesByGrade } from './sales-breakdown.js';
import { SeatOwnerDialog } from './seat-owner-dialog.js';
import { usePolling } from './use-polling.js';

const STATE_EVERY_MS = 2000;
const NONE_CHOSEN: ReadonlySet<number> = new Set();
const HELD = 1;
const SOLD = 2;

const ignore = (): void => undefined;

function countOf({ codes }: SeatStates, wanted: number): number {
  return codes.reduce((sum, code) => sum + (code === wanted ? 1 : 0), 0);
}

interface PolledSeatMapProps {
  readonly concert: OperatorConcertDetails;
  readonly scheduleId: string;
  readonly chart: Chart;
  readonly mode: 'map' | 'list';
}

function PolledSeatMap({ concert, scheduleId, chart, mode }: PolledSeatMapProps) {
  const { live } = useOperatorText();
  const { number } = useFormat();
  const lang = useLang();
  const [inspected, setInspected] = useState(-1);
  // Keep the same object for an unchanged state, so that the map is not redrawn.
  const [shown, setShown] = useState<{ packed: string; states: SeatStates }>();
  const polled = usePolling(
    `state ${scheduleId}`,
    STATE_EVERY_MS,
    (signal) => operatorApi.seatStates(scheduleId, signal),
    ({ seats }) =>
      setShown((old) => (old?.packed === seats ? old : { packed: seats, states: decodeState(seats, chart) })),
  );
  if (!shown) {
    return polled.error === undefined ? (
      <Spinner onRetry={polled.refresh} />
    ) : (
      <ErrorNotice error={polled.error} onRetry={polled.refresh} />
    );
  }
  const { states } = shown;
  return (
    <>
      <p className="soft small">
        {live.pressSeat}{' '}
        {live.dateSummary(number(countOf(states, SOLD)), number(countOf(states, HELD)), number(states.free))}
      </p>
      {polled.error !== undefined && <ErrorNotice error={polled.error} onRetry={polled.refresh} />}
      <div className="op-hall">
        <SeatMap
          chart={chart}
          states={states}
          selected={NONE_CHOSEN}
          onToggle={ignore}
          limit={0}
          lang={lang}
          mode={mode}
          onInspect={setInspected}
        />
      </div>
      <SalesByGrade chart={chart} states={states} />
      {inspected >= 0 && (
        <SeatOwnerDialog
          concert={concert}
          scheduleId={scheduleId}
          seat={{ id: chart.seats.id[inspected] ?? '', name: seatName(chart, inspected, lang) }}
          onClose={() => setInspected(-1)}
        />
      )}
    </>
  );
}

/** The seat map of a date, kept up to date. */
export function LiveSeatMap({ concert }: { readonly concert: OperatorConcertDetails }) {
  const { live } = useOperatorText();
  const format = useFormat();
  const [chosen, setChosen] = useState(concert.schedules[0]?.id ?? '');
  const [mode, setMode] = useState<'map' | 'list'>('map');
  const chart = useLoaded(`operator chart ${chosen}`, async (signal) =>
    decodeChart(await operatorApi.chart(chosen, signal)),
  );
  const options = concert.schedules.map(({ id, startsAt }) => [id, format.date(startsAt)] as const);
  return (
    <section className="card stack-small">
      <div className="op-hall-head">
        <h2>{live.seats}</h2>
        {options.length > 1 && (
          <Select label={live.dateToShow} value={chosen} options={options} onChange={setChosen} />
        )}
        <RadioGroup
          label={live.viewAs}
          value={mode}
          options={[
            ['map', live.mapView],
            ['list', live.listView],
          ]}
          onChange={setMode}
        />
      </div>
      <Loading of={chart}>
        {(value) => (
          <PolledSeatMap key={chosen} concert={concert} scheduleId={chosen} chart={value} mode={mode} />
        )}
      </Loading>
    </section>
  );
}
