import type { Call, What } from '../record.js';
import { type Evidence, groupBy, Inquiry, isOk, okOf, type Pledge, userOf } from './evidence.js';

export const nothingLost: Pledge = {
  name: 'nothing-lost',
  says: 'nothing acknowledged is lost, and nothing appears that nobody asked for',
  check(evidence) {
    const { state } = evidence;
    const inquiry = new Inquiry();
    const match = <Row extends { id: string; user_id: string }>(
      what: What,
      rows: readonly Row[],
      idOf: (call: Call) => string | undefined,
      isAsSaid: (row: Row, call: Call) => boolean,
    ): void => {
      const byId = new Map(rows.map((row) => [row.id, row]));
      const granted = groupBy(
        okOf(evidence, what).filter(({ wish }) => wish.isCheat !== true),
        idOf,
      );
      for (const [id, calls] of granted) {
        const row = byId.get(id);
        const [call] = calls;
        inquiry.expect(
          call !== undefined && row?.user_id === userOf(evidence, call) && isAsSaid(row, call),
          () => `${what} ${id} was granted, and ${row ? 'is not as it was answered' : 'is gone'}`,
          ...calls,
        );
      }
      for (const row of rows) {
        const isKnown = granted.has(row.id);
        inquiry.expect(
          isKnown,
          () => `${what} ${row.id} of ${row.user_id} is there, and nobody was told`,
          ...(isKnown ? [] : unanswered(evidence, what, row.user_id)),
        );
      }
    };
    match(
      'join',
      state.places,
      ({ saw }) => saw.place?.id,
      (row, { saw }) => row.number === saw.place?.number,
    );
    match(
      'hold',
      state.reservations,
      ({ saw }) => saw.reservation?.id,
      (row, { saw: { reservation } }) =>
        row.expires_at === reservation?.expiresAtMs &&
        row.amount === reservation.amount &&
        row.seatIds.join() === reservation.seatIds.join(),
    );
    match(
      'charge',
      state.entries.filter(({ type }) => type === 'CHARGE'),
      ({ saw }) => saw.entry?.id,
      (row, { saw: { entry } }) => row.amount === entry?.amount && row.balance_after === entry.balanceAfter,
    );
    match(
      'pay',
      state.payments,
      ({ saw }) => saw.payment?.id,
      (row, { saw: { payment } }) =>
        row.amount === payment?.amount && row.reservation_id === payment.reservationId,
    );
    expectEndsKept(evidence, inquiry);
    return inquiry;
  },
};

/** Everything that was sent with a key of which this user once did not learn what had come of it. */
const unanswered = (evidence: Evidence, what: What, userId: string): Call[] =>
  [...evidence.byKey.values()]
    .filter((calls) => calls.some(({ outcome }) => outcome === 'unknown'))
    .filter(([call]) => call?.wish.what === what && userOf(evidence, call) === userId)
    .flat();

/** Whoever was told that they have left, released or paid, has. */
function expectEndsKept(evidence: Evidence, inquiry: Inquiry): void {
  const places = new Map(evidence.state.places.map((row) => [row.id, row.status]));
  const reservations = new Map(evidence.state.reservations.map((row) => [row.id, row.status]));
  for (const call of okOf(evidence, 'leave')) {
    const status = places.get(call.wish.placeId ?? '') ?? 'gone';
    inquiry.expect(
      status !== 'WAITING' && status !== 'ACTIVE',
      () => `a place that was left is ${status}`,
      call,
    );
  }
  for (const call of okOf(evidence, 'release')) {
    const status = reservations.get(call.wish.ids?.[0] ?? '') ?? 'gone';
    inquiry.expect(status === 'CANCELLED', () => `a reservation that was released is ${status}`, call);
  }
}

export const ownWrites: Pledge = {
  name: 'own-writes',
  says: 'users see their own writes on any process',
  check({ calls }) {
    const inquiry = new Inquiry();
    for (const call of calls) {
      const { after } = call.wish;
      if (!after || call.outcome === 'unknown') continue;
      inquiry.expect(
        shows(after, call),
        () =>
          `${after.wish.what} was answered by process ${after.door}, and process ${call.door} did not know of it`,
        after,
        call,
      );
    }
    return inquiry;
  },
};

function shows(write: Call, read: Call): boolean {
  const { saw } = read;
  if (write.wish.what === 'leave') return read.reason === 'LEFT' || saw.place?.status === 'EXPIRED';
  if (!isOk(read)) return false;
  if (write.wish.what === 'join') return saw.place?.id === write.saw.place?.id;
  if (write.wish.what === 'charge') return saw.balance === write.saw.entry?.balanceAfter;
  if (write.wish.what === 'release') return saw.reservation?.status === 'CANCELLED';
  if (write.wish.what === 'pay') return read.text === write.text;
  return saw.reservation?.id === write.saw.reservation?.id;
}

const SETTLE_MAX_MS = 30_000;

export const settles: Pledge = {
  name: 'settles',
  says: '30 seconds after the last fault everything unknown is settled and the line moves',
  check(evidence) {
    const { byKey, calls, healedAtMs, settledAtMs } = evidence;
    const inquiry = new Inquiry();
    for (const [key, tries] of byKey) {
      if (tries.some(({ wish }) => wish.isCheat === true)) continue;
      inquiry.expect(
        tries.some(({ outcome }) => outcome !== 'unknown'),
        () => `nobody ever found out what had come of key ${key}`,
        ...tries.slice(-1),
      );
    }
    inquiry.expect(
      settledAtMs - healedAtMs <= SETTLE_MAX_MS,
      () => `it took ${settledAtMs - healedAtMs} ms until everybody had an answer`,
    );
    const letIn = calls.some(({ startMs, saw }) => startMs > healedAtMs && saw.place?.status === 'ACTIVE');
    inquiry.expect(letIn, () => 'nobody was let in after the last fault');
    return inquiry;
  },
};
