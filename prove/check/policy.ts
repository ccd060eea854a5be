/** Invariants of the waiting-room policy: admission in portions, edits during the sale, idle time, consumption. */
import type { Call } from '../call-log.js';
import type { Policy, Sale } from '../scenario/scenario.js';
import { type Period, policyPeriods } from './edits.js';
import { callsBySale, Checker, type Evidence, groupBy, type Invariant, isOk, isRetry } from './evidence.js';
import type { PlaceRow } from './final-state.js';
import { contains, overlaps } from './interval.js';
import { isGated, observedStays } from './queue.js';

const SECOND_MS = 1000;

const admittedPlaces = ({ state }: Evidence, { concertId }: Sale): (PlaceRow & { activated_at: number })[] =>
  state.places
    .filter((row): row is PlaceRow & { activated_at: number } => row.activated_at !== null)
    .filter((row) => row.concert_id === concertId)
    .sort((a, b) => a.activated_at - b.activated_at);

export const portionsRespected: Invariant = {
  name: 'portions',
  description: 'at most admitCount places are admitted in any admitEverySeconds',
  check(evidence) {
    const checker = new Checker();
    for (const [sale, calls] of callsBySale(evidence)) {
      const periods = policyPeriods(evidence, sale);
      if (periods.every(({ value }) => value.admitCount === null)) continue;
      const admitted = admittedPlaces(evidence, sale);
      expectPortions(evidence, admitted, periods, checker);
      const activatedAtMs = new Map(admitted.map((row) => [row.id, row.activated_at]));
      for (const call of calls) {
        const { place } = call.observed;
        if (place?.status !== 'ACTIVE') continue;
        checker.expect(
          place.activatedAtMs === activatedAtMs.get(place.id),
          () => `place ${place.number} was answered with another activatedAt than the stored one`,
          call,
        );
      }
    }
    return checker;
  },
};

/** Judges every admission by the policies that may have been in force at that moment: one of them must allow it. */
function expectPortions(
  { clockToleranceMs }: Evidence,
  admitted: readonly { readonly number: number; readonly activated_at: number }[],
  periods: readonly Period<Policy>[],
  checker: Checker,
): void {
  for (const [index, { number, activated_at: atMs }] of admitted.entries()) {
    // Places admitted together are judged once, with the last of them.
    if (admitted[index + 1]?.activated_at === atMs) continue;
    const moment = { fromMs: atMs - clockToleranceMs, toMs: atMs + clockToleranceMs };
    const policies = periods.filter(({ possible }) => overlaps(possible, moment)).map(({ value }) => value);
    const countSince = (sinceMs: number): number => {
      let count = 0;
      while ((admitted[index - count]?.activated_at ?? -Infinity) > sinceMs) count += 1;
      return count;
    };
    checker.expect(
      policies.some(
        ({ admitCount, admitEverySeconds }) =>
          admitCount === null || countSince(atMs - (admitEverySeconds ?? 0) * SECOND_MS) <= admitCount,
      ),
      () => {
        const rates = policies.map(
          ({ admitCount, admitEverySeconds }) =>
            `${countSince(atMs - (admitEverySeconds ?? 0) * SECOND_MS)} instead of ${String(admitCount)} in ${String(admitEverySeconds)} s`,
        );
        return `with place ${number}, too many were admitted: ${rates.join(', or ')}`;
      },
    );
  }
}

export const policyEditsRespected: Invariant = {
  name: 'policy',
  description:
    'every admission respects the maxActive in force at that moment, and a paused queue admits nobody',
  check(evidence) {
    const checker = new Checker();
    for (const [sale, calls] of callsBySale(evidence)) {
      if (sale.kind !== 'edited') continue;
      const periods = policyPeriods(evidence, sale);
      expectNoneWhilePaused(evidence, sale, periods, checker);
      expectRoomAtAdmission(evidence, sale, calls, periods, checker);
    }
    return checker;
  },
};

function expectNoneWhilePaused(
  evidence: Evidence,
  sale: Sale,
  periods: readonly Period<Policy>[],
  checker: Checker,
): void {
  const paused = periods.filter(({ value }) => value.paused).map(({ certain }) => certain);
  for (const { number, activated_at: atMs } of admittedPlaces(evidence, sale)) {
    const moment = {
      fromMs: atMs - evidence.clockToleranceMs,
      toMs: atMs + evidence.clockToleranceMs,
    };
    checker.expect(
      !paused.some((period) => contains(period, moment)),
      () => `place ${number} was admitted at ${new Date(atMs).toISOString()}, while the queue was paused`,
    );
  }
}

/**
 * A lower maxActive ends no place, so only admissions are judged. One happened between its time in the tables and the
 * first response that shows it. A lower number that was still ACTIVE after that response was ACTIVE at the admission too.
 */
function expectRoomAtAdmission(
  evidence: Evidence,
  sale: Sale,
  calls: readonly Call[],
  periods: readonly Period<Policy>[],
  checker: Checker,
): void {
  const stays = observedStays(evidence, sale, calls);
  const admitted = new Map(admittedPlaces(evidence, sale).map((row) => [row.id, row]));
  for (const stay of stays) {
    const row = admitted.get(stay.placeId);
    if (!row) continue;
    const during = { fromMs: row.activated_at - evidence.clockToleranceMs, toMs: stay.from.endMs };
    const limits = periods
      .filter(({ possible }) => overlaps(possible, during))
      .map(({ value }) => value.maxActive ?? Infinity);
    const others = stays.filter(
      (other) =>
        (admitted.get(other.placeId)?.number ?? Infinity) < row.number && other.to.startMs >= during.toMs,
    );
    checker.expect(
      others.length + 1 <= Math.max(...limits),
      () =>
        `place ${row.number} was admitted although ${others.length} others were ACTIVE; maxActive was ${limits.join(' or ')}`,
      stay.from,
      ...others.slice(0, 3).map(({ from }) => from),
    );
  }
}

export const placesConsumed: Invariant = {
  name: 'consumed',
  description: 'with consumeOn RESERVATION a hold consumes the place, and paying needs none',
  check(evidence) {
    const checker = new Checker();
    const places = new Map(evidence.state.places.map((row) => [row.id, row]));
    for (const [sale, calls] of callsBySale(evidence)) {
      if (sale.policy.consumeOn !== 'RESERVATION') continue;
      const holds = calls.filter((call) => call.request.operation === 'hold' && isOk(call));
      for (const [placeId, held] of groupBy(holds, ({ request }) => request.placeId)) {
        const place = places.get(placeId);
        const reservations = new Set(held.map(({ observed }) => observed.reservation?.id));
        const answeredMs = Math.min(...held.map(({ endMs }) => endMs));
        checker.expect(
          place?.status === 'DONE' &&
            (place.ended_at ?? Infinity) <= answeredMs + evidence.clockToleranceMs &&
            reservations.size === 1,
          () =>
            `place ${String(place?.number)} made ${reservations.size} holds and is ${String(place?.status)}`,
          ...held,
        );
        const later = calls.filter(
          (call) =>
            isGated(call) &&
            call.request.placeId === placeId &&
            call.startMs > answeredMs &&
            !isRetry(evidence, call),
        );
        for (const call of later)
          checker.expect(
            !isOk(call),
            () => `${call.request.operation} succeeded with a place that a hold had consumed`,
            call,
          );
      }
      for (const call of calls.filter(({ request }) => request.operation === 'pay'))
        checker.expect(
          call.code !== 'ACCESS_DENIED',
          () => 'a payment was refused for want of a place, but its hold had consumed the place',
          call,
        );
    }
    return checker;
  },
};
