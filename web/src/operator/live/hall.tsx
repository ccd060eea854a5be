import { useState } from 'react';
import { useFormat, useLang } from '../../i18n/index.js';
import { type Chart, decodeChart, decodeState, SeatMap, type SeatStates } from '../../seat-map/index.js';
import { Failure, Loading, Spinner, useLoaded } from '../../ui/index.js';
import { desk as server, type DeskConcertWithDates } from '../desk.js';
import { Choice, Select } from '../form/fields.js';
import { useOperatorText } from '../texts/index.js';
import { usePolling } from './use-polling.js';

const STATE_EVERY_MS = 2000;
const NONE_CHOSEN: ReadonlySet<number> = new Set();
const HELD = 1;
const SOLD = 2;

const nothing = (): void => undefined;

function countOf({ codes }: SeatStates, wanted: number): number {
  return codes.reduce((sum, code) => sum + (code === wanted ? 1 : 0), 0);
}

interface FillingProps {
  readonly scheduleId: string;
  readonly chart: Chart;
  readonly mode: 'map' | 'list';
}

function Filling({ scheduleId, chart, mode }: FillingProps) {
  const { live } = useOperatorText();
  const { number } = useFormat();
  const lang = useLang();
  // A state that has not changed stays the same object: nothing is drawn anew.
  const [shown, setShown] = useState<{ packed: string; states: SeatStates }>();
  const polled = usePolling(
    `state ${scheduleId}`,
    STATE_EVERY_MS,
    (signal) => server.seatStates(scheduleId, signal),
    ({ seats }) =>
      setShown((old) => (old?.packed === seats ? old : { packed: seats, states: decodeState(seats, chart) })),
  );
  if (!shown) {
    return polled.error === undefined ? (
      <Spinner onRetry={polled.poke} />
    ) : (
      <Failure error={polled.error} onRetry={polled.poke} />
    );
  }
  const { states } = shown;
  return (
    <>
      <p className="soft small">
        {live.dateSays(number(countOf(states, SOLD)), number(countOf(states, HELD)), number(states.free))}
      </p>
      {polled.error !== undefined && <Failure error={polled.error} onRetry={polled.poke} />}
      <div className="op-hall">
        <SeatMap
          chart={chart}
          states={states}
          selected={NONE_CHOSEN}
          onToggle={nothing}
          limit={0}
          lang={lang}
          mode={mode}
          readOnly
        />
      </div>
    </>
  );
}

/** The seats of a date as they go. */
export function Hall({ concert }: { readonly concert: DeskConcertWithDates }) {
  const { live } = useOperatorText();
  const format = useFormat();
  const [chosen, setChosen] = useState(concert.schedules[0]?.id ?? '');
  const [mode, setMode] = useState<'map' | 'list'>('map');
  const chart = useLoaded(`operator chart ${chosen}`, async (signal) =>
    decodeChart(await server.chart(chosen, signal)),
  );
  const options = concert.schedules.map(({ id, startsAt }) => [id, format.date(startsAt)] as const);
  return (
    <section className="card stack-small">
      <div className="op-hall-head">
        <h2>{live.seats}</h2>
        {options.length > 1 && (
          <Select label={live.dateToShow} value={chosen} options={options} onChange={setChosen} />
        )}
        <Choice
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
        {(value) => <Filling key={chosen} scheduleId={chosen} chart={value} mode={mode} />}
      </Loading>
    </section>
  );
}
