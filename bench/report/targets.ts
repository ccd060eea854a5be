import type { Spread } from '../measurement/statistics.js';
import type { Mode, Result } from '../result.js';
import { figureSpread } from './format-figure.js';

interface Bound {
  readonly figure: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

export interface Target {
  readonly title: string;
  readonly rowId: string;
  readonly bounds: Readonly<Record<Mode, Bound>>;
}

const atLeast = (figure: string, value: number): Bound => ({ figure, atLeast: value });
const atMost = (figure: string, value: number): Bound => ({ figure, atMost: value });

/** One bound for both modes, or one for each. */
const target = (title: string, rowId: string, embedded: Bound, cluster = embedded): Target => ({
  title,
  rowId,
  bounds: { embedded, cluster },
});

const HALF_OF_PGBENCH = atLeast('ofPgbench', 0.5);

/** The performance goals of Foyer, for a machine with two cores. */
export const TARGETS: readonly Target[] = [
  target('poll, 1,000 waiting', 'poll-small', atLeast('ofFastify', 0.8), atLeast('ofFastify', 0.75)),
  target('poll, 1,000,000 waiting against 1,000', 'poll-large', atLeast('ofShortLine', 0.95)),
  target(
    'poll while places expire and are admitted, p99 against p50',
    'poll-under-admission',
    atMost('tailRatio', 3),
  ),
  target('join', 'join', atLeast('ofFastify', 0.5), atLeast('perSecond', 10_000)),
  target('hold', 'hold', atLeast('ofFastify', 0.6), HALF_OF_PGBENCH),
  target('charge', 'charge', atLeast('ofFastify', 0.55), HALF_OF_PGBENCH),
  target('pay', 'pay', atLeast('ofFastify', 0.33), HALF_OF_PGBENCH),
  target('seats of 50', 'seats-50', atLeast('ofFastify', 0.6), atLeast('ofFastify', 0.5)),
  target('state of 50,000 seats', 'state', atLeast('perSecond', 2000)),
  target('state of 50,000 seats, bytes on the wire', 'state', atMost('wireBytes', 20_000)),
  target('whole bookings', 'booking', atLeast('ofFastify', 0.1), atLeast('ofFastify', 0.05)),
  target('memory per waiting person', 'growth', atMost('bytesEach', 64)),
  target('restart with 1,000,000 waiting', 'restart', atMost('readySeconds', 3)),
  target('10,000 event streams, memory per stream', 'streams', atMost('bytesEach', 30_000)),
  target('10,000 event streams, delay of an admission event (p99)', 'streams', atMost('p99Ms', 1000)),
  target('poll at half of the maximum rate, p99 against p50', 'pace-poll', atMost('tailRatio', 10)),
  target('charge at half of the maximum rate, p99 against p50', 'pace-charge', atMost('tailRatio', 10)),
];

export interface TargetResult {
  readonly target: Target;
  readonly bound: Bound;
  /** Undefined when the case was not measured, and then `isMet` is undefined, too. */
  readonly measured: Spread | undefined;
  readonly isMet: boolean | undefined;
}

/** Compares the median of all rounds with each target. */
export const evaluateTargets = ({ mode, rows }: Result): TargetResult[] =>
  TARGETS.map((each) => {
    const bound = each.bounds[mode];
    const row = rows.find(({ id }) => id === each.rowId);
    const measured = row && figureSpread(row, bound.figure);
    const { atLeast: min = -Infinity, atMost: max = Infinity } = bound;
    return {
      target: each,
      bound,
      measured,
      isMet: measured && measured.median >= min && measured.median <= max,
    };
  });
