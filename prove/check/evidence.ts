import type { Call, Operation } from '../call-log.js';
import type { InjectedFault } from '../faults/index.js';
import type { Sale, Scenario } from '../scenario/scenario.js';
import type { FinalState, ReservationRow } from './final-state.js';

/** Everything the checker knows: the calls as clients observed them, and the tables after the run. */
export interface Evidence {
  readonly scenario: Scenario;
  /** In the order of their responses. */
  readonly calls: readonly Call[];
  /** The calls with an idempotency key, by key, in the order of their responses. */
  readonly byKey: ReadonlyMap<string, readonly Call[]>;
  readonly state: FinalState;
  /** How much the server's clock and the client's clock may differ. */
  readonly clockToleranceMs: number;
  readonly faults: readonly InjectedFault[];
  /** When the last fault ended. */
  readonly faultsEndedAtMs: number;
  /** When the last fan had received a response, or had given up. */
  readonly settledAtMs: number;
}

/** One way in which an invariant does not hold, with the calls that show it. */
export interface Violation {
  readonly description: string;
  readonly calls: readonly Call[];
}

export interface CheckResult {
  /** How many comparisons were made. With 0, the run says nothing about the invariant. */
  readonly checked: number;
  readonly violations: readonly Violation[];
}

export interface Invariant {
  readonly name: string;
  readonly description: string;
  check(evidence: Evidence): CheckResult;
}

/** Counts the comparisons made for one invariant and collects its violations. */
export class Checker implements CheckResult {
  checked = 0;
  readonly violations: Violation[] = [];

  /** `describe` explains the violation; `calls` are the calls that show it. */
  expect(holds: boolean, describe: () => string, ...calls: readonly (Call | undefined)[]): void {
    this.checked += 1;
    if (holds) return;
    this.violations.push({ description: describe(), calls: calls.filter((call) => call !== undefined) });
  }
}

/** Whether the log has an earlier call with the same key. The response may then be a stored one. */
export const isRetry = ({ byKey }: Evidence, call: Call): boolean =>
  (byKey.get(call.request.key ?? '') ?? []).some(({ number }) => number < call.number);

export const isOk = ({ outcome }: Call): boolean => outcome === 'ok';

export const succeeded = ({ calls }: Evidence, operation: Operation): Call[] =>
  calls.filter((call) => call.request.operation === operation && isOk(call));

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

export const userOf = ({ scenario }: Evidence, { fan }: Call): string => scenario.accounts[fan]?.userId ?? '';

/** The calls about each sale, in the order of their responses. */
export function callsBySale({ scenario, calls }: Evidence): (readonly [Sale, readonly Call[]])[] {
  const byConcert = groupBy(calls, ({ request }) => request.concertId);
  return scenario.sales.map((sale) => [sale, byConcert.get(sale.concertId) ?? []]);
}

/** The calls, other than forbidden ones, by the reservation or payment that they are about. */
export const callsBySubject = (
  evidence: Evidence,
  operation: 'pay' | 'release' | 'refund',
): Map<string, Call[]> =>
  groupBy(
    evidence.calls.filter(({ request }) => request.operation === operation && request.isForbidden !== true),
    ({ request }) => request.subjectIds?.[0],
  );

export const firstStartMs = (calls: readonly Call[]): number =>
  Math.min(...calls.map(({ startMs }) => startMs));

/** When the effect of these calls was certain; Infinity if none succeeded. */
export const firstSuccessMs = (calls: readonly Call[]): number =>
  Math.min(...calls.filter(isOk).map(({ endMs }) => endMs));

/**
 * When a reservation had its seats. The end is known only within bounds: a release or refund takes effect at some moment
 * between its request and its response.
 */
export interface HoldInterval {
  readonly reservation: ReservationRow;
  readonly fromMs: number;
  readonly endsAtEarliestMs: number;
  readonly endsAtLatestMs: number;
}

export function holdIntervalsBySeat(evidence: Evidence): Map<string, HoldInterval[]> {
  const releases = callsBySubject(evidence, 'release');
  const payments = callsBySubject(evidence, 'pay');
  const refunds = callsBySubject(evidence, 'refund');
  const refunded = new Map(
    evidence.state.payments
      .filter((row) => row.refunded_at !== null)
      .map((row) => [row.reservation_id, refunds.get(row.id) ?? []]),
  );
  const answered = new Map(
    succeeded(evidence, 'hold').map(({ observed: { reservation } }) => [
      reservation?.id,
      reservation?.expiresAtMs,
    ]),
  );
  const held = evidence.state.reservations.flatMap((reservation) => {
    const { id, seatIds, expires_at: expiresAtMs } = reservation;
    const ending = refunded.get(id) ?? releases.get(id) ?? [];
    const interval = holdIntervalOf(reservation, ending, payments.get(id) ?? [], refunded.has(id));
    // If the operator ended the sale earlier, its holds ended at the latest when they would have ended anyway.
    const answeredMs = answered.get(id) ?? expiresAtMs;
    const endsAtLatestMs =
      answeredMs > expiresAtMs ? Math.max(interval.endsAtLatestMs, answeredMs) : interval.endsAtLatestMs;
    return seatIds.map((seatId) => ({ seatId, interval: { ...interval, endsAtLatestMs } }));
  });
  return new Map(
    [...groupBy(held, ({ seatId }) => seatId)].map(([seatId, all]) => [
      seatId,
      all.map(({ interval }) => interval),
    ]),
  );
}

/** `endings` are the calls that released or refunded it. */
function holdIntervalOf(
  reservation: ReservationRow,
  endings: readonly Call[],
  payments: readonly Call[],
  isRefunded: boolean,
): HoldInterval {
  const { status, created_at: fromMs, expires_at: expiresAtMs } = reservation;
  if (status === 'CONFIRMED')
    return { reservation, fromMs, endsAtEarliestMs: Infinity, endsAtLatestMs: Infinity };
  const firstEndingMs = Math.min(firstStartMs(endings), isRefunded ? Infinity : expiresAtMs);
  const lastEndingMs = Math.max(...endings.map(({ endMs }) => endMs), fromMs);
  // A payment of an expired hold locks its seats until it is refused.
  const lastPaymentMs = Math.max(...payments.map(({ endMs }) => endMs), fromMs);
  const isCancelled = status === 'CANCELLED';
  return {
    reservation,
    fromMs,
    endsAtEarliestMs: isCancelled ? firstEndingMs : expiresAtMs,
    endsAtLatestMs: Math.max(isCancelled ? lastEndingMs : expiresAtMs, lastPaymentMs),
  };
}
