import { POLICY } from '../sale.js';
import type { Call, What } from '../record.js';
import { type Evidence, groupBy, Inquiry, isOk, isRetry, okOf, type Pledge } from './evidence.js';
import type { PlaceRow } from './state.js';

/** When a place stopped counting: what has run out is gone from that instant, whenever somebody noticed. */
const overAtMs = ({ ended_at: ended, expires_at: expires }: PlaceRow): number =>
  Math.min(ended ?? Infinity, expires ?? Infinity);

export const onePlace: Pledge = {
  name: 'one-place',
  says: 'one live place per user and concert',
  check(evidence) {
    const inquiry = new Inquiry();
    const joins = groupBy(okOf(evidence, 'join'), ({ saw }) => saw.place?.id);
    for (const [userId, places] of groupBy(evidence.state.places, (place) => place.user_id)) {
      const inOrder = [...places].sort((a, b) => a.number - b.number);
      for (const [index, place] of inOrder.entries()) {
        const before = inOrder[index - 1];
        inquiry.expect(
          before === undefined || overAtMs(before) <= place.joined_at + evidence.slackMs,
          () => `${userId} had the places ${String(before?.number)} and ${place.number} at the same time`,
          ...(joins.get(before?.id ?? '') ?? []),
          ...(joins.get(place.id) ?? []),
        );
      }
    }
    return inquiry;
  },
};

/** What was seen of a place from outside. */
interface Sightings {
  readonly number: number;
  readonly made: Call | undefined;
  readonly firstActive: Call | undefined;
  readonly lastWaiting: Call | undefined;
  readonly all: readonly Call[];
}

function sightings(evidence: Evidence): Sightings[] {
  const seen = evidence.calls.filter(({ saw }) => saw.place !== undefined);
  return [...groupBy(seen, ({ saw }) => saw.place?.id).values()].map((all) => ({
    number: all[0]?.saw.place?.number ?? 0,
    // 201: this call made the place. 200: it was there.
    made: all.find(({ wish, status }) => wish.what === 'join' && status === 201),
    firstActive: all.find(({ saw }) => saw.place?.status === 'ACTIVE'),
    lastWaiting: all.findLast(({ saw }) => saw.place?.status === 'WAITING'),
    all,
  }));
}

export const noOvertaking: Pledge = {
  name: 'in-order',
  says: "who joined after another's join was answered is never admitted first, and a rank never grows",
  check(evidence) {
    const inquiry = new Inquiry();
    const places = sightings(evidence);
    expectNumbersInOrder(places, inquiry);
    expectAdmittedInOrder(evidence, places, inquiry);
    for (const { number, all } of places) {
      let lowest: Call | undefined;
      // In the order of their answers; only one that was sent after the other's answer must know as much.
      for (const call of all) {
        const { rank = 0 } = call.saw.place ?? {};
        const before = lowest;
        if (before && call.startMs > before.endMs)
          inquiry.expect(
            rank <= (before.saw.place?.rank ?? 0),
            () => `the rank of number ${number} grew from ${String(before.saw.place?.rank)} to ${rank}`,
            before,
            call,
          );
        if (!before || rank <= (before.saw.place?.rank ?? 0)) lowest = call;
      }
    }
    return inquiry;
  },
};

/** Whoever was answered before another asked has the smaller number. */
function expectNumbersInOrder(places: readonly Sightings[], inquiry: Inquiry): void {
  const joined = places.filter(({ made }) => made !== undefined);
  const byAnswer = [...joined].sort((a, b) => (a.made?.endMs ?? 0) - (b.made?.endMs ?? 0));
  const byStart = [...joined].sort((a, b) => (a.made?.startMs ?? 0) - (b.made?.startMs ?? 0));
  let answered = 0;
  let highest: Sightings | undefined;
  for (const place of byStart) {
    const startMs = place.made?.startMs ?? 0;
    for (
      let next = byAnswer[answered];
      next && (next.made?.endMs ?? 0) < startMs;
      next = byAnswer[answered]
    ) {
      if (!highest || next.number > highest.number) highest = next;
      answered += 1;
    }
    const before = highest;
    if (!before) continue;
    inquiry.expect(
      before.number < place.number,
      () => `number ${place.number} was given to who asked after number ${before.number} had been answered`,
      before.made,
      place.made,
    );
  }
}

function expectAdmittedInOrder({ state }: Evidence, places: readonly Sightings[], inquiry: Inquiry): void {
  const admitted = state.places.filter((place) => place.activated_at !== null);
  for (const [index, place] of admitted.entries()) {
    const before = admitted[index - 1];
    inquiry.expect(
      before === undefined || (before.activated_at ?? 0) <= (place.activated_at ?? 0),
      () => `number ${place.number} was let in before number ${String(before?.number)}`,
    );
  }
  // From the last to the first: nobody behind may have been seen inside before one in front was seen waiting.
  let earliest: Call | undefined;
  for (const { number, firstActive, lastWaiting } of [...places].sort((a, b) => b.number - a.number)) {
    const inside = earliest;
    if (inside && lastWaiting)
      inquiry.expect(
        inside.endMs >= lastWaiting.startMs,
        () => `number ${number} was still waiting when number ${String(inside.saw.place?.number)} was inside`,
        inside,
        lastWaiting,
      );
    if (firstActive && (!earliest || firstActive.endMs < earliest.endMs)) earliest = firstActive;
  }
}

export const neverTooMany: Pledge = {
  name: 'capacity',
  says: 'never more active than allowed',
  check(evidence) {
    const inquiry = new Inquiry();
    const stays = staysSeen(evidence);
    const changes = stays.flatMap((stay) => [
      { atMs: stay.from.endMs, by: 1, stay },
      { atMs: stay.to.startMs, by: -1, stay },
    ]);
    // Who goes at the same instant goes first.
    changes.sort((a, b) => a.atMs - b.atMs || a.by - b.by);
    const inside = new Set<Stay>();
    for (const { atMs, by, stay } of changes) {
      if (by < 0) inside.delete(stay);
      else inside.add(stay);
      if (by < 0) continue;
      inquiry.expect(
        inside.size <= POLICY.maxActive,
        () =>
          `${inside.size} were inside at ${new Date(atMs).toISOString()}, where ${POLICY.maxActive} may be`,
        ...[...inside].slice(-3).flatMap(({ from, to }) => [from, to]),
      );
    }
    return inquiry;
  },
};

/** From the answer that first showed a place inside to the last call that could not have been granted to it outside. */
interface Stay {
  readonly from: Call;
  readonly to: Call;
}

/** As it was seen from outside: the times in the tables are those at which somebody began to decide. */
function staysSeen(evidence: Evidence): Stay[] {
  const proofs = evidence.calls.filter(
    (call) =>
      isOk(call) &&
      (call.saw.place?.status === 'ACTIVE' || (isGated(call.wish.what) && !isRetry(evidence, call))),
  );
  const stays: Stay[] = [];
  for (const calls of groupBy(proofs, ({ saw, wish }) => saw.place?.id ?? wish.placeId).values()) {
    const from = calls.reduce((a, b) => (a.endMs < b.endMs ? a : b));
    // What is paid answers its receipt to whoever is outside by then.
    const paid = calls.find(({ wish }) => wish.what === 'pay');
    const until = paid ? calls.filter((call) => call.startMs <= paid.startMs) : calls;
    const to = until.reduce((a, b) => (a.startMs > b.startMs ? a : b));
    if (from.endMs < to.startMs) stays.push({ from, to });
  }
  return stays;
}

const isGated = (what: What): boolean => ['hold', 'dates', 'seats', 'pay'].includes(what);

export const onlyThroughTheGate: Pledge = {
  name: 'gate',
  says: 'nothing gated succeeds without an active place, and nobody gets what is not theirs',
  check(evidence) {
    const { state, slackMs } = evidence;
    const inquiry = new Inquiry();
    const places = new Map(state.places.map((place) => [place.id, place]));
    const paidBefore = new Set<string>();
    for (const call of evidence.calls) {
      const { wish } = call;
      if (wish.isCheat === true) inquiry.expect(!isOk(call), () => `a cheat was granted`, call);
      if (wish.isCheat === true || !isGated(wish.what) || !isOk(call)) continue;
      const reservationId = call.saw.payment?.reservationId;
      const isAgain = isRetry(evidence, call) || paidBefore.has(reservationId ?? '');
      if (reservationId !== undefined) paidBefore.add(reservationId);
      const place = places.get(wish.placeId ?? '');
      const isInside =
        place !== undefined &&
        (place.activated_at ?? Infinity) <= call.endMs + slackMs &&
        call.startMs <= overAtMs(place) + slackMs;
      inquiry.expect(
        isAgain || isInside,
        () => `${wish.what} was granted to number ${String(place?.number)}, which was not inside`,
        call,
      );
    }
    return inquiry;
  },
};
