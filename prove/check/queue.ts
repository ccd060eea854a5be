/** Invariants of the waiting room: places, their order, capacity and the gate. */
import type { Call, Operation } from '../call-log.js';
import type { Sale } from '../scenario/scenario.js';
import {
  callsBySale,
  Checker,
  type Evidence,
  groupBy,
  type Invariant,
  isOk,
  isRetry,
  succeeded,
} from './evidence.js';
import type { PlaceRow } from './final-state.js';

/** An expired place ends at `expires_at`, even if the row is updated later. */
const endedAtMs = ({ ended_at: ended, expires_at: expires }: PlaceRow): number =>
  Math.min(ended ?? Infinity, expires ?? Infinity);

export const onePlacePerUser: Invariant = {
  name: 'one-place',
  description: 'a user has at most one live place per concert',
  check(evidence) {
    const checker = new Checker();
    const joins = groupBy(succeeded(evidence, 'join'), ({ observed }) => observed.place?.id);
    const byUser = groupBy(evidence.state.places, (place) => `${place.user_id} in ${place.concert_id}`);
    for (const [user, places] of byUser) {
      const inOrder = [...places].sort((a, b) => a.number - b.number);
      for (const [index, place] of inOrder.entries()) {
        const before = inOrder[index - 1];
        checker.expect(
          before === undefined || endedAtMs(before) <= place.joined_at + evidence.clockToleranceMs,
          () => `user ${user} had places ${String(before?.number)} and ${place.number} at the same time`,
          ...(joins.get(before?.id ?? '') ?? []),
          ...(joins.get(place.id) ?? []),
        );
      }
    }
    return checker;
  },
};

/** The calls whose response showed a place. */
interface PlaceObservations {
  readonly number: number;
  readonly joinCall: Call | undefined;
  readonly firstActive: Call | undefined;
  readonly lastWaiting: Call | undefined;
  readonly all: readonly Call[];
}

function observePlaces(calls: readonly Call[]): PlaceObservations[] {
  const byPlace = groupBy(calls, ({ observed }) => observed.place?.id);
  return [...byPlace.values()].map((all) => ({
    number: all[0]?.observed.place?.number ?? 0,
    // 201: this call created the place. 200: it already existed.
    joinCall: all.find(({ request, status }) => request.operation === 'join' && status === 201),
    firstActive: all.find(({ observed }) => observed.place?.status === 'ACTIVE'),
    lastWaiting: all.findLast(({ observed }) => observed.place?.status === 'WAITING'),
    all,
  }));
}

export const admittedInOrder: Invariant = {
  name: 'in-order',
  description: 'a join sent after another was answered is never admitted first, and a rank never increases',
  check(evidence) {
    const checker = new Checker();
    for (const [{ concertId }, calls] of callsBySale(evidence)) {
      const places = observePlaces(calls);
      expectNumbersInOrder(places, checker);
      const rows = evidence.state.places.filter((row) => row.concert_id === concertId);
      expectAdmittedInOrder(rows, places, checker);
      for (const place of places) expectRankNeverIncreases(place, checker);
    }
    return checker;
  },
};

function expectRankNeverIncreases({ number, all }: PlaceObservations, checker: Checker): void {
  let lowest: Call | undefined;
  // Only a call that was sent after the earlier response arrived must know the earlier rank.
  for (const call of all) {
    const { rank = 0 } = call.observed.place ?? {};
    const before = lowest;
    if (before && call.startMs > before.endMs)
      checker.expect(
        rank <= (before.observed.place?.rank ?? 0),
        () => `the rank of place ${number} increased from ${String(before.observed.place?.rank)} to ${rank}`,
        before,
        call,
      );
    if (!before || rank <= (before.observed.place?.rank ?? 0)) lowest = call;
  }
}

/** A join that was answered before another join was sent has the smaller number. */
function expectNumbersInOrder(places: readonly PlaceObservations[], checker: Checker): void {
  const joined = places.filter(({ joinCall }) => joinCall !== undefined);
  const byResponse = [...joined].sort((a, b) => (a.joinCall?.endMs ?? 0) - (b.joinCall?.endMs ?? 0));
  const byStart = [...joined].sort((a, b) => (a.joinCall?.startMs ?? 0) - (b.joinCall?.startMs ?? 0));
  let answered = 0;
  let highest: PlaceObservations | undefined;
  for (const place of byStart) {
    const startMs = place.joinCall?.startMs ?? 0;
    for (
      let next = byResponse[answered];
      next && (next.joinCall?.endMs ?? 0) < startMs;
      next = byResponse[answered]
    ) {
      if (!highest || next.number > highest.number) highest = next;
      answered += 1;
    }
    const before = highest;
    if (!before) continue;
    checker.expect(
      before.number < place.number,
      () =>
        `the join that got number ${place.number} was sent after number ${before.number} had been answered`,
      before.joinCall,
      place.joinCall,
    );
  }
}

function expectAdmittedInOrder(
  rows: readonly PlaceRow[],
  places: readonly PlaceObservations[],
  checker: Checker,
): void {
  const admitted = rows.filter((place) => place.activated_at !== null);
  for (const [index, place] of admitted.entries()) {
    const before = admitted[index - 1];
    checker.expect(
      before === undefined || (before.activated_at ?? 0) <= (place.activated_at ?? 0),
      () => `place ${place.number} was admitted before place ${String(before?.number)}`,
    );
  }
  // From the last place to the first: no place may be seen ACTIVE before a place in front of it is seen WAITING.
  let earliestActive: Call | undefined;
  for (const { number, firstActive, lastWaiting } of [...places].sort((a, b) => b.number - a.number)) {
    const active = earliestActive;
    if (active && lastWaiting)
      checker.expect(
        active.endMs >= lastWaiting.startMs,
        () =>
          `place ${number} was still WAITING when place ${String(active.observed.place?.number)} was ACTIVE`,
        active,
        lastWaiting,
      );
    if (firstActive && (!earliestActive || firstActive.endMs < earliestActive.endMs))
      earliestActive = firstActive;
  }
}

export const capacityRespected: Invariant = {
  name: 'capacity',
  description: 'the number of ACTIVE places never exceeds maxActive',
  check(evidence) {
    const checker = new Checker();
    for (const [sale, calls] of callsBySale(evidence)) {
      const { maxActive } = sale.policy;
      // Where the operator edits maxActive, `policy` checks it.
      if (maxActive === null || sale.kind === 'edited') continue;
      expectActiveAtMost(maxActive, observedStays(evidence, sale, calls), checker);
    }
    return checker;
  },
};

function expectActiveAtMost(maxActive: number, stays: readonly Stay[], checker: Checker): void {
  const changes = stays.flatMap((stay) => [
    { atMs: stay.from.endMs, by: 1, stay },
    { atMs: stay.to.startMs, by: -1, stay },
  ]);
  // At the same instant, count those who leave before those who arrive.
  changes.sort((a, b) => a.atMs - b.atMs || a.by - b.by);
  const active = new Set<Stay>();
  for (const { atMs, by, stay } of changes) {
    if (by < 0) {
      active.delete(stay);
      continue;
    }
    active.add(stay);
    checker.expect(
      active.size <= maxActive,
      () => `${active.size} places were ACTIVE at ${new Date(atMs).toISOString()}, maxActive is ${maxActive}`,
      ...[...active].slice(-3).flatMap(({ from, to }) => [from, to]),
    );
  }
}

/** A period in which a place was certainly ACTIVE: from the first response that shows it to the last call that requires it. */
export interface Stay {
  readonly placeId: string;
  readonly from: Call;
  readonly to: Call;
}

/** From client observations only: a time in the tables is when the decision began, not when it took effect. */
export function observedStays(evidence: Evidence, sale: Sale, callsOfSale: readonly Call[]): Stay[] {
  const activeCalls = callsOfSale.filter(
    (call) =>
      isOk(call) && (call.observed.place?.status === 'ACTIVE' || (isGated(call) && !isRetry(evidence, call))),
  );
  // From here on, the same call may succeed again although the place has ended.
  const consumes: Operation = sale.policy.consumeOn === 'PAYMENT' ? 'pay' : 'hold';
  const stays: Stay[] = [];
  for (const [placeId, calls] of groupBy(
    activeCalls,
    ({ observed, request }) => observed.place?.id ?? request.placeId,
  )) {
    const from = calls.reduce((a, b) => (a.endMs < b.endMs ? a : b));
    const consumed = calls.find(({ request }) => request.operation === consumes);
    const until = consumed ? calls.filter((call) => call.startMs <= consumed.startMs) : calls;
    const to = until.reduce((a, b) => (a.startMs > b.startMs ? a : b));
    if (from.endMs < to.startMs) stays.push({ placeId, from, to });
  }
  return stays;
}

const GATED: ReadonlySet<Operation> = new Set<Operation>(['hold', 'dates', 'seats', 'pay']);

/** Where a hold has consumed the place, its payment names none and is not gated. */
export const isGated = ({ request }: Call): boolean =>
  request.placeId !== undefined && GATED.has(request.operation);

export const gateEnforced: Invariant = {
  name: 'gate',
  description: 'a gated request needs an ACTIVE place, and no fan can use what belongs to another',
  check(evidence) {
    const { state, clockToleranceMs } = evidence;
    const checker = new Checker();
    const places = new Map(state.places.map((place) => [place.id, place]));
    const paidBefore = new Set<string>();
    for (const call of evidence.calls) {
      const { request } = call;
      if (request.isForbidden === true)
        checker.expect(!isOk(call), () => 'a forbidden request succeeded', call);
      if (request.isForbidden === true || !isGated(call) || !isOk(call)) continue;
      const reservationId = call.observed.payment?.reservationId;
      const isRepeat = isRetry(evidence, call) || paidBefore.has(reservationId ?? '');
      if (reservationId !== undefined) paidBefore.add(reservationId);
      const place = places.get(request.placeId ?? '');
      const isActive =
        place !== undefined &&
        (place.activated_at ?? Infinity) <= call.endMs + clockToleranceMs &&
        call.startMs <= endedAtMs(place) + clockToleranceMs;
      checker.expect(
        isRepeat || isActive,
        () => `${request.operation} succeeded with place ${String(place?.number)}, which was not ACTIVE`,
        call,
      );
    }
    return checker;
  },
};
