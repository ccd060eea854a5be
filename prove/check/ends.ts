import type { Call } from '../call-log.js';
import type { Sale } from '../scenario/scenario.js';
import { closingPeriods } from './edits.js';
import { callsBySale, Checker, type Evidence, groupBy, type Invariant, isOk, isRetry } from './evidence.js';
import { contains, type Interval, overlaps } from './interval.js';
import { isGated } from './queue.js';
import { soldOutTimes, soldSeatsByDate, type SoldSeats } from './sold-seats.js';

/** How long after the closing the rows of those who waited may still say WAITING. Responses say CLOSED at once. */
const ROWS_CLOSED_WITHIN_MS = 5000;
/** How long after the last seat was sold, and after a fault, a sale may take to notice that it is sold out. */
const SOLD_OUT_NOTICED_WITHIN_MS = 3000;

/** When a sale was closed or sold out: certainly, and possibly. Both allow for the clock tolerance. */
interface EndedTimes {
  readonly closed: readonly Interval[];
  readonly soldOut: readonly Interval[];
  readonly maybeClosed: readonly Interval[];
  readonly maybeSoldOut: readonly Interval[];
}

export const closedSalesEnd: Invariant = {
  name: 'ends',
  description:
    'after a sale has closed or sold out nobody waits or joins, and after it has closed nothing gated succeeds',
  check(evidence) {
    const checker = new Checker();
    const sold = soldSeatsByDate(evidence);
    for (const [sale, calls] of callsBySale(evidence)) {
      const times = endedTimes(evidence, sale, calls, sold);
      expectNobodyJoinsOrWaits(calls, times, checker);
      expectNothingGatedSucceeds(evidence, calls, times, checker);
      expectClosedForAReason(evidence, calls, times, checker);
      expectNoRowWaits(evidence, sale, times, checker);
    }
    return checker;
  },
};

function endedTimes(
  evidence: Evidence,
  sale: Sale,
  calls: readonly Call[],
  sold: ReadonlyMap<string, SoldSeats>,
): EndedTimes {
  const { clockToleranceMs } = evidence;
  const closings = closingPeriods(evidence, sale);
  const soldOut = soldOutTimes(sale, sold, clockToleranceMs);
  return {
    closed: closings
      .map(({ value, certain: { fromMs, toMs } }) => ({
        fromMs: Math.max(fromMs, value + clockToleranceMs),
        toMs,
      }))
      .filter(({ fromMs, toMs }) => fromMs < toMs),
    maybeClosed: closings
      .map(({ value, possible: { fromMs, toMs } }) => ({
        fromMs: Math.max(fromMs, value - clockToleranceMs),
        toMs,
      }))
      .filter(({ fromMs, toMs }) => fromMs < toMs),
    soldOut: soldOut.certain.map((interval) => ({
      ...interval,
      fromMs: noticedAtMs(evidence, interval, calls),
    })),
    maybeSoldOut: soldOut.possible,
  };
}

/** A sold-out sale is closed a moment later: when a response says so, or when there was time enough without a fault. */
function noticedAtMs({ faults }: Evidence, interval: Interval, calls: readonly Call[]): number {
  const saidSo = calls.filter(
    (call) =>
      (call.code === 'SOLD_OUT' || call.observed.place?.status === 'CLOSED') &&
      contains(interval, { fromMs: call.startMs, toMs: call.endMs }),
  );
  let calmFromMs = interval.fromMs;
  for (const { effect, startMs, endMs } of faults)
    if (effect !== 'network' && startMs < calmFromMs + SOLD_OUT_NOTICED_WITHIN_MS)
      calmFromMs = Math.max(calmFromMs, endMs);
  return Math.min(calmFromMs + SOLD_OUT_NOTICED_WITHIN_MS, ...saidSo.map(({ endMs }) => endMs));
}

const during = ({ startMs, endMs }: Call): Interval => ({ fromMs: startMs, toMs: endMs });

function expectNobodyJoinsOrWaits(calls: readonly Call[], times: EndedTimes, checker: Checker): void {
  for (const call of calls) {
    const { operation } = call.request;
    const isDuring = (interval: Interval): boolean => contains(interval, during(call));
    const isClosed = times.closed.some(isDuring);
    if (!isClosed && !times.soldOut.some(isDuring)) continue;
    const { place } = call.observed;
    if (place)
      checker.expect(
        place.status !== 'WAITING' && !(operation === 'join' && call.status === 201),
        () => `${operation} showed place ${place.number} as ${place.status} after the sale had ended`,
        call,
      );
    if (operation === 'join' && call.outcome === 'refused')
      checker.expect(
        call.code === 'SALES_CLOSED' || (!isClosed && call.code === 'SOLD_OUT'),
        () => `a join was refused with ${call.code} after the sale had ${isClosed ? 'closed' : 'sold out'}`,
        call,
      );
  }
}

/** In a sold-out sale, dates and seats can still be read, and there is nothing left to book. */
function expectNothingGatedSucceeds(
  evidence: Evidence,
  calls: readonly Call[],
  { closed }: EndedTimes,
  checker: Checker,
): void {
  const paid = new Set<string>();
  for (const call of calls) {
    const { operation } = call.request;
    const reservationId = call.observed.payment?.reservationId ?? '';
    const isRepeat = isRetry(evidence, call) || paid.has(reservationId);
    if (isOk(call) && reservationId !== '') paid.add(reservationId);
    if (!isGated(call) || isRepeat || !closed.some((interval) => contains(interval, during(call)))) continue;
    checker.expect(!isOk(call), () => `${operation} succeeded after the sale had closed`, call);
  }
}

/** Whoever is refused or CLOSED was so for a reason, and for good. */
function expectClosedForAReason(
  { clockToleranceMs }: Evidence,
  calls: readonly Call[],
  { maybeClosed, maybeSoldOut }: EndedTimes,
  checker: Checker,
): void {
  const mayHaveEnded = (since: Interval): boolean =>
    [...maybeClosed, ...maybeSoldOut].some((interval) => overlaps(interval, since));
  for (const ofPlace of groupBy(calls, ({ observed }) => observed.place?.id).values()) {
    const firstMs = Math.min(...ofPlace.map(({ startMs }) => startMs));
    const closed = ofPlace.filter(({ observed }) => observed.place?.status === 'CLOSED');
    for (const call of closed)
      checker.expect(
        call.observed.place?.rank === 0 &&
          mayHaveEnded({ fromMs: firstMs - clockToleranceMs, toMs: call.endMs }),
        () =>
          `place ${String(call.observed.place?.number)} was CLOSED while the sale was open, or has a rank`,
        call,
      );
    const closedMs = Math.min(...closed.map(({ endMs }) => endMs));
    for (const call of ofPlace.filter(({ startMs }) => startMs > closedMs))
      checker.expect(
        call.observed.place?.status === 'CLOSED',
        () =>
          `place ${String(call.observed.place?.number)} was CLOSED, and later ${String(call.observed.place?.status)}`,
        ...closed.slice(0, 1),
        call,
      );
  }
  for (const call of calls) {
    if (call.request.operation !== 'join' || (call.code !== 'SALES_CLOSED' && call.code !== 'SOLD_OUT'))
      continue;
    const reasons = call.code === 'SALES_CLOSED' ? maybeClosed : maybeSoldOut;
    checker.expect(
      reasons.some((interval) => overlaps(interval, during(call))),
      () => `a join was refused with ${call.code}, but the sale was open and had free seats`,
      call,
    );
  }
}

function expectNoRowWaits(
  { state }: Evidence,
  { concertId }: Sale,
  { closed, soldOut, maybeClosed, maybeSoldOut }: EndedTimes,
  checker: Checker,
): void {
  const atEnd = { fromMs: state.readAtMs - ROWS_CLOSED_WITHIN_MS, toMs: state.readAtMs };
  const hasEnded = [...closed, ...soldOut].some((interval) => contains(interval, atEnd));
  const mayHaveEnded = maybeClosed.length + maybeSoldOut.length > 0;
  for (const { number, status } of state.places.filter((row) => row.concert_id === concertId)) {
    if (hasEnded)
      checker.expect(status !== 'WAITING', () => `place ${number} still waits, but the sale has ended`);
    if (status === 'CLOSED')
      checker.expect(mayHaveEnded, () => `place ${number} is CLOSED, but the sale never ended`);
  }
}
