import type { Random } from '../random.js';

/** What is special about a sale. The first five last for the whole run, the others open and close during it. */
export type SaleKind =
  | 'main'
  | 'portions'
  | 'idle'
  | 'reservation'
  | 'edited'
  /** Closes at `salesCloseAt`. */
  | 'timed'
  /** Closes when its last date begins. */
  | 'past'
  /** The operator ends it, reopens it and ends it again. */
  | 'ended'
  /** Sells out. Refunds free seats again. */
  | 'sold-out';

export interface Policy {
  readonly maxActive: number | null;
  readonly admitCount: number | null;
  readonly admitEverySeconds: number | null;
  readonly activeSeconds: number;
  readonly idleSeconds: number | null;
  readonly consumeOn: 'PAYMENT' | 'RESERVATION';
  readonly holdSeconds: number;
  readonly maxSeatsPerUser: number;
  readonly paused: boolean;
}

interface Hall {
  readonly rows: number;
  readonly seatsPerRow: number;
}

export interface SalePlan {
  readonly kind: SaleKind;
  readonly policy: Policy;
  readonly dates: readonly { readonly hall: Hall; readonly startsInMs: number }[];
  /** All times count from the start of the run. Null: open from the beginning. */
  readonly opensInMs: number | null;
  readonly closesInMs: number | null;
}

const POLICY: Policy = {
  maxActive: 20,
  admitCount: null,
  admitEverySeconds: null,
  /** Short, so that places expire while fans are buying. */
  activeSeconds: 15,
  idleSeconds: null,
  consumeOn: 'PAYMENT',
  holdSeconds: 3,
  maxSeatsPerUser: 100,
  paused: false,
};
/** So few that most fans of a short sale are still waiting when it closes. */
const SHORT_SALE: Policy = { ...POLICY, maxActive: 3, activeSeconds: 10 };

const DAY_MS = 24 * 3600 * 1000;
const STARTS_IN_MS = 30 * DAY_MS;
/** Sells out within the first minute. */
const SMALL_HALL: Hall = { rows: 4, seatsPerRow: 10 };
/** Sells out within seconds. */
const TINY_HALL: Hall = { rows: 1, seatsPerRow: 6 };
const SEATS_PER_ROW = 100;
/** More seats than the workload can buy in a minute. */
const ROWS_PER_MINUTE = 10;
const ROWS_MIN = 5;
/** A fan may have at most `maxSeatsPerUser` seats of one date, so a longer sale needs more dates. */
const MINUTES_PER_DATE = 5;

/** A round of short sales opens every so often. */
const ROUND_MS = 20_000;
const ROUNDS_MIN = 2;
/** A longer run spreads its rounds. */
const ROUNDS_MAX = 60;
/** How long after its opening a short sale closes. */
const CLOSES_AFTER_MIN_MS = 5000;
const CLOSES_AFTER_MAX_MS = 8000;
const MINUTE_MS = 60_000;

const bigHall = (minutes: number): Hall => ({
  rows: Math.max(ROWS_MIN, Math.ceil(ROWS_PER_MINUTE * minutes)),
  seatsPerRow: SEATS_PER_ROW,
});

const lastingSale = (kind: SaleKind, policy: Partial<Policy>, halls: readonly Hall[]): SalePlan => ({
  kind,
  policy: { ...POLICY, ...policy },
  dates: halls.map((hall, day) => ({ hall, startsInMs: STARTS_IN_MS + day * DAY_MS })),
  opensInMs: null,
  closesInMs: null,
});

function planLastingSales(minutes: number): SalePlan[] {
  const dateCount = 1 + Math.ceil(minutes / MINUTES_PER_DATE);
  const halls = Array.from({ length: dateCount }, () => bigHall(minutes / dateCount));
  return [
    // The first date is small and sells out.
    lastingSale('main', {}, [SMALL_HALL, ...halls]),
    lastingSale('portions', { maxActive: null, admitCount: 4, admitEverySeconds: 2 }, halls),
    lastingSale('idle', { maxActive: 15, activeSeconds: 60, idleSeconds: 3 }, halls),
    lastingSale('reservation', { maxActive: 5, consumeOn: 'RESERVATION' }, halls),
    lastingSale('edited', { maxActive: 5 }, halls),
  ];
}

function planRound(opensInMs: number, random: Random): SalePlan[] {
  const closesInMs = (): number =>
    Math.round(opensInMs + random.between(CLOSES_AFTER_MIN_MS, CLOSES_AFTER_MAX_MS));
  const plan = (kind: SaleKind, hall: Hall, changes: Partial<SalePlan> = {}): SalePlan => ({
    kind,
    policy: SHORT_SALE,
    dates: [{ hall, startsInMs: STARTS_IN_MS }],
    opensInMs,
    closesInMs: null,
    ...changes,
  });
  const lastDateMs = closesInMs();
  return [
    plan('timed', SMALL_HALL, { closesInMs: closesInMs() }),
    plan('past', SMALL_HALL, {
      dates: [lastDateMs - CLOSES_AFTER_MIN_MS / 2, lastDateMs].map((startsInMs) => ({
        hall: SMALL_HALL,
        startsInMs,
      })),
    }),
    plan('ended', SMALL_HALL),
    plan('sold-out', TINY_HALL),
  ];
}

/** As many rounds as there is time for. */
const roundsIn = (minutes: number): number =>
  Math.max(ROUNDS_MIN, Math.min(ROUNDS_MAX, Math.ceil((minutes * MINUTE_MS) / ROUND_MS)));

/** Every sale of a run of so many minutes. A round has four short sales. */
export function planSales(minutes: number, random: Random, rounds = roundsIn(minutes)): SalePlan[] {
  const everyMs = Math.max(ROUND_MS, Math.round((minutes * MINUTE_MS) / rounds));
  const shortSales = Array.from({ length: rounds }, (_, round) => planRound(round * everyMs, random));
  return [...planLastingSales(minutes), ...shortSales.flat()];
}
