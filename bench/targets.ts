import type { Mode, Result } from './result.js';
import { type Spread, spreadOf } from './stats.js';

interface Bound {
  readonly figure: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

export interface Target {
  readonly what: string;
  readonly row: string;
  readonly bounds: Readonly<Record<Mode, Bound>>;
}

const both = (bound: Bound): Target['bounds'] => ({ embedded: bound, cluster: bound });
const ofFastify = (atLeast: number): Bound => ({ figure: 'ofFastify', atLeast });
const HALF_OF_PGBENCH: Bound = { figure: 'ofPgbench', atLeast: 0.5 };

/** What Foyer is meant to reach, on two cores. */
export const TARGETS: readonly Target[] = [
  {
    what: 'poll, 1,000 waiting',
    row: 'poll-small',
    bounds: { embedded: ofFastify(0.8), cluster: ofFastify(0.75) },
  },
  {
    what: 'poll, 1,000,000 waiting against 1,000',
    row: 'poll-large',
    bounds: both({ figure: 'ofShortLine', atLeast: 0.95 }),
  },
  {
    what: 'join',
    row: 'join',
    bounds: { embedded: ofFastify(0.5), cluster: { figure: 'perSecond', atLeast: 10_000 } },
  },
  { what: 'hold', row: 'hold', bounds: { embedded: ofFastify(0.6), cluster: HALF_OF_PGBENCH } },
  { what: 'charge', row: 'charge', bounds: { embedded: ofFastify(0.55), cluster: HALF_OF_PGBENCH } },
  { what: 'pay', row: 'pay', bounds: { embedded: ofFastify(0.33), cluster: HALF_OF_PGBENCH } },
  {
    what: 'seats of 50',
    row: 'seats-50',
    bounds: { embedded: ofFastify(0.6), cluster: ofFastify(0.5) },
  },
  { what: 'state of 50,000 seats', row: 'state', bounds: both({ figure: 'perSecond', atLeast: 2000 }) },
  {
    what: 'state of 50,000 seats, on the wire',
    row: 'state',
    bounds: both({ figure: 'wireBytes', atMost: 20_000 }),
  },
  {
    what: 'whole bookings',
    row: 'booking',
    bounds: { embedded: ofFastify(0.1), cluster: ofFastify(0.05) },
  },
  {
    what: 'memory per waiting person',
    row: 'growth',
    bounds: both({ figure: 'bytesEach', atMost: 64 }),
  },
  {
    what: 'restart with 1,000,000 waiting',
    row: 'restart',
    bounds: both({ figure: 'readySeconds', atMost: 3 }),
  },
  {
    what: '10,000 event streams, memory of each',
    row: 'streams',
    bounds: both({ figure: 'bytesEach', atMost: 30_000 }),
  },
  {
    what: '10,000 event streams, from admission to the event (p99)',
    row: 'streams',
    bounds: both({ figure: 'p99Ms', atMost: 1000 }),
  },
  {
    what: 'poll at half of the highest rate, p99 against p50',
    row: 'pace-poll',
    bounds: both({ figure: 'tailRatio', atMost: 10 }),
  },
  {
    what: 'charge at half of the highest rate, p99 against p50',
    row: 'pace-charge',
    bounds: both({ figure: 'tailRatio', atMost: 10 }),
  },
];

export interface Judged {
  readonly target: Target;
  readonly bound: Bound;
  /** Undefined when it was not measured. */
  readonly measured: Spread | undefined;
  readonly holds: boolean | undefined;
}

/** Medians are held against the targets. */
export const judge = ({ mode, rows }: Result): Judged[] =>
  TARGETS.map((target) => {
    const bound = target.bounds[mode];
    const rounds = rows.find(({ id }) => id === target.row)?.rounds ?? [];
    const values = rounds.flatMap(({ figures }) => figures[bound.figure] ?? []);
    if (values.length === 0) return { target, bound, measured: undefined, holds: undefined };
    const measured = spreadOf(values);
    const { atLeast = -Infinity, atMost = Infinity } = bound;
    return { target, bound, measured, holds: measured.median >= atLeast && measured.median <= atMost };
  });
