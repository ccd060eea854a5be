import { type ReactNode, useId } from 'react';
import { useFormat, useLang } from '../../i18n/index.js';
import type { OperatorConcertDetails, Stats } from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';
import { forecastWait, forecastSellOut } from './forecast.js';
import { Plot } from './plot.js';
import type { Sample } from './samples.js';

/** Longer values do not fit a tile in large digits. */
const LARGE_DIGITS_CHARS_MAX = 9;
const DAY_MS = 86_400_000;
const FORECAST_MAX_MS = 60 * DAY_MS;

interface TileProps {
  readonly name: string;
  readonly value: string;
  readonly note?: string;
  readonly children?: ReactNode;
}

function Tile({ name, value, note, children }: TileProps) {
  const id = useId();
  return (
    <section className="op-tile" aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      <p className={`op-tile-value ${value.length > LARGE_DIGITS_CHARS_MAX ? 'op-tile-long' : ''}`}>
        {value}
      </p>
      <p className="op-tile-note">{note}</p>
      {children}
    </section>
  );
}

interface Props {
  readonly concert: OperatorConcertDetails;
  readonly stats: Stats;
  readonly samples: readonly Sample[];
  readonly nowMs: number;
}

/** The expected wait of a fan who joins now, and when the last seat will be sold. */
function Forecast({ concert, stats, samples, nowMs }: Props) {
  const { live } = useOperatorText();
  const format = useFormat();
  const wait = forecastWait(samples, concert.waitingRoom, nowMs);
  const sellOutForecast = forecastSellOut(samples, stats.seatsTotal, nowMs);
  const waitTexts = {
    none: [live.noWait, live.noWaitHint],
    stalled: [live.stalled, live.stalledHint],
    paused: [live.stalled, live.pausedHint],
    wait: [
      wait.kind === 'wait' ? live.about(format.duration(roundEstimate(wait.waitMs))) : '',
      live.expectedWaitHint,
    ],
  } as const;
  const [waitValue, waitNote] = waitTexts[wait.kind];
  function sellOut(): readonly [string, string] {
    if (sellOutForecast.kind === 'soldOut') return [live.soldOut, live.soldOutHint];
    if (sellOutForecast.kind !== 'at') return [live.noSales, live.noSalesHint];
    const hint = live.sellOutHint(format.number(Math.round(sellOutForecast.perMinute * 10) / 10));
    const awayMs = sellOutForecast.atMs - nowMs;
    if (awayMs > FORECAST_MAX_MS) return [live.tooSlow, hint];
    return [format.date(sellOutForecast.atMs, awayMs < DAY_MS / 2 ? 'clock' : 'short'), hint];
  }
  const [sellOutValue, sellOutNote] = sellOut();
  return (
    <div className="op-forecast">
      <Tile name={live.expectedWait} value={waitValue} note={waitNote} />
      <Tile name={live.sellOut} value={sellOutValue} note={sellOutNote} />
    </div>
  );
}

/** Rounds to a quarter of a minute: the estimate is not more accurate. */
const roundEstimate = (ms: number): number => Math.max(1, Math.round(ms / 15_000)) * 15_000;

/** Each metric of the sale with its plot of the last hour. */
export function MetricTiles(props: Props) {
  const { concert, stats, samples, nowMs } = props;
  const { live } = useOperatorText();
  const format = useFormat();
  const lang = useLang();
  const { maxActive } = concert.waitingRoom;
  const money = (amount: number): string => format.money(amount, concert.currency);
  const percent = new Intl.NumberFormat(lang, { style: 'percent', maximumFractionDigits: 1 });
  const share = percent.format(stats.seatsTotal === 0 ? 0 : stats.seatsSold / stats.seatsTotal);
  const count = (value: number): string => format.number(Math.round(value));
  const plot = (name: string, valueOf: (sample: Sample) => number, formatValue = count) => (
    <Plot {...{ name, samples, nowMs, valueOf, formatValue }} />
  );
  return (
    <div className="op-tiles">
      <Tile
        name={live.waiting}
        value={count(stats.waiting)}
        note={stats.closed > 0 ? live.endedWithSale(count(stats.closed)) : ''}
      >
        {plot(live.waiting, (sample) => sample.waiting)}
      </Tile>
      <Tile
        name={live.active}
        value={count(stats.active)}
        note={maxActive === null ? live.noMax : live.ofMax(count(maxActive))}
      >
        {plot(live.active, (sample) => sample.active)}
      </Tile>
      <Tile name={live.joined} value={count(stats.joinedLastMinute)}>
        {plot(live.joined, (sample) => sample.joined)}
      </Tile>
      <Tile name={live.admitted} value={count(stats.admittedLastMinute)}>
        {plot(live.admitted, (sample) => sample.admitted)}
      </Tile>
      <Tile name={live.held} value={count(stats.seatsHeld)}>
        {plot(live.held, (sample) => sample.held)}
      </Tile>
      <Tile
        name={live.sold}
        value={count(stats.seatsSold)}
        note={live.ofTotal(count(stats.seatsTotal), share)}
      >
        {plot(live.sold, (sample) => sample.sold)}
      </Tile>
      <Tile name={live.revenue} value={money(stats.revenue)}>
        {plot(live.revenue, (sample) => sample.revenue, money)}
      </Tile>
      <Forecast {...props} />
    </div>
  );
}
