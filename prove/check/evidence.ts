import type { Call, What } from '../record.js';
import type { Sale } from '../sale.js';
import type { ReservationRow, State } from './state.js';

/** Everything the checker knows: what was seen from outside, and what is in the tables in the end. */
export interface Evidence {
  readonly sale: Sale;
  readonly calls: readonly Call[];
  /** All that were sent with a key, in the order of their answers. */
  readonly byKey: ReadonlyMap<string, readonly Call[]>;
  readonly state: State;
  /** How far the clocks of those who decide and of those who watch may be apart. */
  readonly slackMs: number;
  /** From here on nothing went wrong any more. */
  readonly healedAtMs: number;
  /** When nobody waited for an answer any more. */
  readonly settledAtMs: number;
}

/** One promise that was not kept, with the piece of history that shows it. */
export interface Violation {
  readonly says: string;
  readonly calls: readonly Call[];
}

/** What came of looking at one promise. */
export interface Finding {
  /** How many things were looked at: a promise that nothing was held against has not been proved. */
  readonly checked: number;
  readonly violations: readonly Violation[];
}

export interface Pledge {
  readonly name: string;
  readonly says: string;
  check(evidence: Evidence): Finding;
}

/** Gathers what one promise has to say. */
export class Inquiry implements Finding {
  checked = 0;
  readonly violations: Violation[] = [];

  /** Looks at one thing; when it is not so, says why. */
  expect(isSo: boolean, says: () => string, ...calls: readonly (Call | undefined)[]): void {
    this.checked += 1;
    if (!isSo) this.violations.push({ says: says(), calls: calls.filter((call) => call !== undefined) });
  }
}

/** Whether it was asked for before, and nobody knew what had come of it. */
export const isRetry = ({ byKey }: Evidence, call: Call): boolean =>
  (byKey.get(call.wish.key ?? '') ?? []).some(({ number }) => number < call.number);

export const isOk = ({ outcome }: Call): boolean => outcome === 'ok';

export const okOf = ({ calls }: Evidence, what: What): Call[] =>
  calls.filter((call) => call.wish.what === what && isOk(call));

export function groupBy<T, Key>(items: Iterable<T>, keyOf: (item: T) => Key | undefined): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

export const userOf = ({ sale }: Evidence, { fan }: Call): string => sale.people[fan]?.userId ?? '';

/** Calls that ask for this reservation to be paid or released, by anybody who may. */
const callsAbout = (evidence: Evidence, what: What): Map<string, Call[]> =>
  groupBy(
    evidence.calls.filter(({ wish }) => wish.what === what && wish.isCheat !== true),
    ({ wish }) => wish.ids?.[0],
  );

/** From when to when a reservation certainly had its seats, and from when to when it may have had them. */
export interface Span {
  readonly reservation: ReservationRow;
  readonly fromMs: number;
  readonly certainlyToMs: number;
  readonly possiblyToMs: number;
}

export function spansBySeat(evidence: Evidence): Map<string, Span[]> {
  const releases = callsAbout(evidence, 'release');
  const payments = callsAbout(evidence, 'pay');
  const spans = new Map<string, Span[]>();
  for (const reservation of evidence.state.reservations) {
    const span = spanOf(reservation, releases.get(reservation.id) ?? [], payments.get(reservation.id) ?? []);
    for (const seatId of reservation.seatIds) {
      const others = spans.get(seatId);
      if (others) others.push(span);
      else spans.set(seatId, [span]);
    }
  }
  return spans;
}

function spanOf(reservation: ReservationRow, releases: readonly Call[], payments: readonly Call[]): Span {
  const { status, created_at: fromMs, expires_at: expiresMs } = reservation;
  if (status === 'CONFIRMED') return { reservation, fromMs, certainlyToMs: Infinity, possiblyToMs: Infinity };
  const firstRelease = Math.min(...releases.map(({ startMs }) => startMs), expiresMs);
  const lastRelease = Math.max(...releases.map(({ endMs }) => endMs), fromMs);
  // Whoever is just trying to pay what has run out keeps others from it until they are refused.
  const lastPayment = Math.max(...payments.map(({ endMs }) => endMs), fromMs);
  const possiblyToMs = Math.max(status === 'CANCELLED' ? lastRelease : expiresMs, lastPayment);
  return {
    reservation,
    fromMs,
    certainlyToMs: status === 'CANCELLED' ? firstRelease : expiresMs,
    possiblyToMs,
  };
}
