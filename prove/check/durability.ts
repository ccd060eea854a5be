/** Invariants of durability and visibility: acknowledged writes survive and are visible, and outcomes become known. */
import type { Call, Operation } from '../call-log.js';
import { Checker, type Evidence, groupBy, type Invariant, isOk, succeeded, userOf } from './evidence.js';
import { closingPeriods } from './edits.js';
import type { PlaceRow, ReservationRow } from './final-state.js';

/** A join whose response was lost has taken effect by then, or never. */
const LOST_JOIN_MAX_MS = 15_000;
const SALE_ENDED_CODES: ReadonlySet<string> = new Set(['SALES_CLOSED', 'SOLD_OUT']);

/** The operator ended the sale earlier, and the hold with it. */
function endedWithSale(
  evidence: Evidence,
  { schedule_id: scheduleId, expires_at: expiresAtMs }: ReservationRow,
  answeredMs: number,
): boolean {
  const sale = evidence.scenario.sales.find(({ dates }) => dates.some(({ id }) => id === scheduleId));
  if (sale?.kind !== 'ended' || expiresAtMs >= answeredMs) return false;
  return closingPeriods(evidence, sale).some(({ value }) => value === expiresAtMs);
}

export const nothingLost: Invariant = {
  name: 'nothing-lost',
  description: 'every acknowledged write is in the tables, and every row was acknowledged',
  check(evidence) {
    const { state } = evidence;
    const checker = new Checker();
    const expectSame = <Row extends { id: string; user_id: string }>(
      operation: Operation,
      rows: readonly Row[],
      idOf: (call: Call) => string | undefined,
      isAsAnswered: (row: Row, call: Call) => boolean,
      mayBeUnacknowledged: (row: Row) => boolean = () => false,
    ): void => {
      const byId = new Map(rows.map((row) => [row.id, row]));
      const acknowledged = groupBy(
        succeeded(evidence, operation).filter(({ request }) => request.isForbidden !== true),
        idOf,
      );
      for (const [id, calls] of acknowledged) {
        const row = byId.get(id);
        const [call] = calls;
        checker.expect(
          call !== undefined && row?.user_id === userOf(evidence, call) && isAsAnswered(row, call),
          () => `${operation} ${id} was acknowledged, but its row ${row ? 'differs' : 'is missing'}`,
          ...calls,
        );
      }
      for (const row of rows) {
        const isAcknowledged = acknowledged.has(row.id);
        checker.expect(
          isAcknowledged || mayBeUnacknowledged(row),
          () => `${operation} has a row that was never acknowledged: ${JSON.stringify(row)}`,
          ...(isAcknowledged ? [] : unknownCalls(evidence, operation, row.user_id)),
        );
      }
    };
    expectSame(
      'join',
      state.places,
      ({ observed }) => observed.place?.id,
      (row, { observed }) => row.number === observed.place?.number,
      (row) => mayHaveEndedUnanswered(evidence, row),
    );
    expectSame(
      'hold',
      state.reservations,
      ({ observed }) => observed.reservation?.id,
      (row, { observed: { reservation } }) =>
        reservation !== undefined &&
        (row.expires_at === reservation.expiresAtMs ||
          endedWithSale(evidence, row, reservation.expiresAtMs)) &&
        row.amount === reservation.amount &&
        row.seatIds.join() === reservation.seatIds.join(),
    );
    expectSame(
      'charge',
      state.entries.filter(({ type }) => type === 'CHARGE'),
      ({ observed }) => observed.entry?.id,
      (row, { observed: { entry } }) =>
        row.amount === entry?.amount && row.balance_after === entry.balanceAfter,
    );
    expectSame(
      'pay',
      state.payments,
      ({ observed }) => observed.payment?.id,
      (row, { observed: { payment } }) =>
        row.amount === payment?.amount && row.reservation_id === payment.reservationId,
    );
    expectEndedStaysEnded(evidence, checker);
    return checker;
  },
};

/**
 * A join has no key. If its response is lost and the place ends before the retry, because its fan seems idle or the sale
 * closes, the retry gets another place or a refusal. If the place ends while its join is in progress, the response itself
 * is a refusal or names the next place.
 */
function mayHaveEndedUnanswered(evidence: Evidence, row: PlaceRow): boolean {
  const { calls, clockToleranceMs } = evidence;
  if (row.ended_at === null) return false;
  return calls.some((call) => {
    const { request, outcome, startMs, endMs } = call;
    if (request.operation !== 'join' || request.concertId !== row.concert_id) return false;
    if (userOf(evidence, call) !== row.user_id || startMs > row.joined_at + clockToleranceMs) return false;
    if (outcome === 'unknown') return row.joined_at <= startMs + LOST_JOIN_MAX_MS;
    return row.joined_at <= endMs + clockToleranceMs && hadEndedByThen(row, call, clockToleranceMs);
  });
}

/** A place that ended with its sale has ended before its row says so. */
const hadEndedByThen = (
  { status, ended_at: endedAtMs }: PlaceRow,
  call: Call,
  toleranceMs: number,
): boolean =>
  (status === 'CLOSED' && SALE_ENDED_CODES.has(call.code)) ||
  (endedAtMs ?? Infinity) <= call.endMs + toleranceMs;

/** The user's calls of this kind whose key, or which without a key, have at least one unknown outcome. */
const unknownCalls = (evidence: Evidence, operation: Operation, userId: string): Call[] => {
  const calls = evidence.calls.filter(
    (call) => call.request.operation === operation && userOf(evidence, call) === userId,
  );
  return [...groupBy(calls, ({ request }) => request.key ?? request.concertId ?? '').values()]
    .filter((attempts) => attempts.some(({ outcome }) => outcome === 'unknown'))
    .flat();
};

/** An acknowledged leave or release is in the tables. */
function expectEndedStaysEnded(evidence: Evidence, checker: Checker): void {
  const places = new Map(evidence.state.places.map((row) => [row.id, row.status]));
  const reservations = new Map(evidence.state.reservations.map((row) => [row.id, row.status]));
  for (const call of succeeded(evidence, 'leave')) {
    const status = places.get(call.request.placeId ?? '') ?? 'missing';
    checker.expect(
      status !== 'WAITING' && status !== 'ACTIVE',
      () => `leave was acknowledged, but the place is ${status}`,
      call,
    );
  }
  for (const call of succeeded(evidence, 'release')) {
    const status = reservations.get(call.request.subjectIds?.[0] ?? '') ?? 'missing';
    checker.expect(
      status === 'CANCELLED',
      () => `release was acknowledged, but the reservation is ${status}`,
      call,
    );
  }
}

export const readYourWrites: Invariant = {
  name: 'own-writes',
  description: 'a fan sees their own writes on every process',
  check(evidence) {
    const checker = new Checker();
    for (const read of evidence.calls) {
      const { readsAfter: write } = read.request;
      if (!write || read.outcome === 'unknown') continue;
      if (write.request.operation === 'charge' && mayBeRefundedBetween(evidence, write, read)) continue;
      checker.expect(
        isVisible(write, read),
        () =>
          `${write.request.operation} on process ${write.processIndex} was not visible on process ${read.processIndex}`,
        write,
        read,
      );
    }
    return checker;
  },
};

/** A refund in between changes the balance that a charge returned. */
const mayBeRefundedBetween = (evidence: Evidence, write: Call, read: Call): boolean =>
  evidence.state.payments.some(
    (row) =>
      row.user_id === userOf(evidence, write) &&
      row.refunded_at !== null &&
      row.refunded_at >= write.startMs - evidence.clockToleranceMs &&
      row.refunded_at <= read.endMs + evidence.clockToleranceMs,
  );

/** The text of a receipt, whether or not it was refunded meanwhile. */
const withoutRefund = ({ responseText }: Call): string =>
  responseText.replace(/"refundedAt":(?:null|"[^"]*")/, '');

function isVisible(write: Call, read: Call): boolean {
  const { observed } = read;
  const { operation } = write.request;
  // A place that had ended before stays as it was.
  if (operation === 'leave')
    return read.reason === 'LEFT' || ['EXPIRED', 'CLOSED'].includes(observed.place?.status ?? '');
  if (!isOk(read)) return false;
  if (operation === 'join') return observed.place?.id === write.observed.place?.id;
  if (operation === 'charge') return observed.balance === write.observed.entry?.balanceAfter;
  if (operation === 'release') return observed.reservation?.status === 'CANCELLED';
  if (operation === 'pay') return withoutRefund(read) === withoutRefund(write);
  return observed.reservation?.id === write.observed.reservation?.id;
}

export const SETTLE_MAX_MS = 30_000;

export const settlesAfterFaults: Invariant = {
  name: 'settles',
  description: '30 seconds after the last fault every outcome is known, and fans are admitted again',
  check(evidence) {
    const { byKey, calls, faultsEndedAtMs, settledAtMs } = evidence;
    const checker = new Checker();
    for (const [key, attempts] of byKey) {
      if (attempts.some(({ request }) => request.isForbidden === true)) continue;
      checker.expect(
        attempts.some(({ outcome }) => outcome !== 'unknown'),
        () => `the outcome of key ${key} never became known`,
        ...attempts.slice(-1),
      );
    }
    checker.expect(
      settledAtMs - faultsEndedAtMs <= SETTLE_MAX_MS,
      () => `it took ${settledAtMs - faultsEndedAtMs} ms until every fan had a response`,
    );
    const isAdmitting = calls.some(
      ({ startMs, observed }) => startMs > faultsEndedAtMs && observed.place?.status === 'ACTIVE',
    );
    checker.expect(isAdmitting, () => 'no ACTIVE place was seen after the last fault');
    return checker;
  },
};
