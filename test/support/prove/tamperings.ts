import { isRetry } from '../../../prove/check/evidence.js';
import type { Evidence } from '../../../prove/check/index.js';
import type { Call } from '../../../prove/record.js';

/** Evidence of something that must not happen, made from evidence of a run in which it did not. */
export interface Tampering {
  readonly promise: string;
  readonly says: string;
  readonly tamper: (evidence: Evidence) => Evidence;
}

function first<T>(items: readonly T[], isIt: (item: T) => boolean): T {
  const found = items.find(isIt);
  if (found === undefined) throw new Error('the run had nothing to tamper with');
  return found;
}

const withState = (evidence: Evidence, state: Partial<Evidence['state']>): Evidence => ({
  ...evidence,
  state: { ...evidence.state, ...state },
});

/** One call is not as it was. */
const withCall = (evidence: Evidence, call: Call, change: Partial<Call>): Evidence => {
  const changed = (each: Call): Call => (each === call ? { ...each, ...change } : each);
  return {
    ...evidence,
    calls: evidence.calls.map(changed),
    byKey: new Map([...evidence.byKey].map(([key, calls]) => [key, calls.map(changed)])),
  };
};

/** No retry: what those are told may be of an earlier moment, and is forgiven. */
const ok = (evidence: Evidence, what: string): Call =>
  first(
    evidence.calls,
    (call) => call.outcome === 'ok' && call.wish.what === what && !isRetry(evidence, call),
  );

export const TAMPERINGS: readonly Tampering[] = [
  {
    promise: 'sold-once',
    says: 'two had paid for one seat',
    tamper(evidence) {
      const { reservations } = evidence.state;
      const sold = first(reservations, ({ status }) => status === 'CONFIRMED');
      return withState(evidence, { reservations: [...reservations, { ...sold, id: 'another' }] });
    },
  },
  {
    promise: 'held-once',
    says: 'a second hold had begun before the first ended',
    tamper(evidence) {
      const { reservations } = evidence.state;
      const held = first(reservations, ({ status }) => status === 'EXPIRED');
      const other = { ...held, id: 'another', created_at: held.created_at + 1 };
      return withState(evidence, { reservations: [...reservations, other] });
    },
  },
  {
    promise: 'in-time',
    says: 'a hold had been paid after its end',
    tamper(evidence) {
      const { payments, reservations } = evidence.state;
      const paid = first(reservations, ({ status }) => status === 'CONFIRMED');
      return withState(evidence, {
        payments: payments.map((row) =>
          row.reservation_id === paid.id ? { ...row, paid_at: paid.expires_at } : row,
        ),
      });
    },
  },
  {
    promise: 'in-time',
    says: 'a seat had been refused that nobody had',
    tamper(evidence) {
      const { seats, reservations } = evidence.state;
      const wasHeld = new Set(reservations.flatMap(({ seatIds }) => seatIds));
      const { id } = first(seats, (seat) => !wasHeld.has(seat.id));
      const refused = ok(evidence, 'hold');
      return withCall(evidence, refused, {
        outcome: 'refused',
        code: 'ALREADY_RESERVED_SEAT',
        saw: { taken: [id] },
      });
    },
  },
  {
    promise: 'money',
    says: 'a balance were more than its entries',
    tamper: (evidence) =>
      withState(evidence, {
        wallets: evidence.state.wallets.map((row, index) =>
          index === 0 ? { ...row, balance: row.balance + 1 } : row,
        ),
      }),
  },
  {
    promise: 'same-key',
    says: 'one key had been granted two answers',
    tamper(evidence) {
      const call = ok(evidence, 'charge');
      const again = { ...call, number: call.number + 1, text: `${call.text} ` };
      const byKey = new Map(evidence.byKey).set(call.wish.key ?? '', [call, again]);
      return { ...evidence, byKey };
    },
  },
  {
    promise: 'same-key',
    says: 'a key had been refused, and granted later',
    tamper(evidence) {
      const call = ok(evidence, 'charge');
      const refused: Call = {
        ...call,
        number: call.number - 1,
        outcome: 'refused',
        status: 403,
        code: 'ACCESS_DENIED',
        text: '{}',
        saw: {},
      };
      const byKey = new Map(evidence.byKey).set(call.wish.key ?? '', [refused, call]);
      return { ...evidence, byKey };
    },
  },
  {
    promise: 'receipts',
    says: 'a payment had no debit',
    tamper: (evidence) =>
      withState(evidence, { entries: evidence.state.entries.filter(({ type }) => type !== 'PAYMENT') }),
  },
  {
    promise: 'one-place',
    says: 'somebody had two places',
    tamper(evidence) {
      const { places } = evidence.state;
      const place = first(places, ({ status }) => status === 'WAITING');
      return withState(evidence, { places: [...places, { ...place, id: 'another', number: 1e9 }] });
    },
  },
  {
    promise: 'in-order',
    says: 'a rank had grown',
    tamper(evidence) {
      const polls = evidence.calls.filter(({ saw }) => saw.place?.status === 'WAITING');
      const again = first(polls, (call) =>
        polls.some((other) => other.saw.place?.id === call.saw.place?.id && other.endMs < call.startMs),
      );
      return withCall(evidence, again, { saw: { place: { ...again.saw.place!, rank: 1e9 } } });
    },
  },
  {
    promise: 'capacity',
    says: 'everybody had been inside all the time',
    tamper(evidence) {
      const seen = evidence.calls.filter(({ saw }) => saw.place !== undefined);
      const ids = [...new Set(seen.map(({ saw }) => saw.place!.id))];
      const inside = (id: string, atMs: number): Call => {
        const call = first(seen, ({ saw }) => saw.place?.id === id);
        return {
          ...call,
          startMs: atMs,
          endMs: atMs,
          saw: { place: { ...call.saw.place!, status: 'ACTIVE' } },
        };
      };
      const atMs = evidence.calls[0]?.startMs ?? 0;
      return { ...evidence, calls: ids.flatMap((id) => [inside(id, atMs), inside(id, atMs + 1000)]) };
    },
  },
  {
    promise: 'gate',
    says: 'somebody had reserved who was not inside',
    tamper(evidence) {
      const waiting = first(evidence.state.places, (place) => place.activated_at === null);
      const hold = ok(evidence, 'hold');
      const tries = evidence.byKey.get(hold.wish.key ?? '') ?? [];
      const call = tries[0] ?? hold;
      return withCall(evidence, call, {
        outcome: 'ok',
        saw: hold.saw,
        wish: { ...call.wish, placeId: waiting.id },
      });
    },
  },
  {
    promise: 'gate',
    says: 'a cheat had been granted',
    tamper: (evidence) =>
      withCall(
        evidence,
        first(evidence.calls, ({ wish }) => wish.isCheat === true),
        { outcome: 'ok' },
      ),
  },
  {
    promise: 'sold-out',
    says: 'a date had been said to be sold out with seats left',
    tamper(evidence) {
      const left = first(evidence.state.seats, ({ status }) => status !== 'SOLD');
      const dates = [{ id: left.schedule_id, seatsRemaining: 0, soldOut: true }];
      return withCall(evidence, ok(evidence, 'dates'), { saw: { dates } });
    },
  },
  {
    promise: 'nothing-lost',
    says: 'an answered charge were gone',
    tamper(evidence) {
      const lost = ok(evidence, 'charge').saw.entry?.id;
      return withState(evidence, { entries: evidence.state.entries.filter(({ id }) => id !== lost) });
    },
  },
  {
    promise: 'nothing-lost',
    says: 'a place were there that nobody had been given',
    tamper(evidence) {
      const { places } = evidence.state;
      return withState(evidence, { places: [...places, { ...places[0]!, id: 'another', number: 1e9 }] });
    },
  },
  {
    promise: 'own-writes',
    says: 'a reservation had not been found by whoever had just made it',
    tamper(evidence) {
      const read = first(
        evidence.calls,
        ({ wish, outcome }) => wish.after?.wish.what === 'hold' && outcome === 'ok',
      );
      return withCall(evidence, read, { outcome: 'refused', saw: {}, code: 'RESERVATION_NOT_FOUND' });
    },
  },
  {
    promise: 'settles',
    says: 'nobody had found out what had come of a payment',
    tamper(evidence) {
      const call = ok(evidence, 'pay');
      const tries = (evidence.byKey.get(call.wish.key ?? '') ?? []).map((each) => ({
        ...each,
        outcome: 'unknown' as const,
      }));
      return { ...evidence, byKey: new Map(evidence.byKey).set(call.wish.key ?? '', tries) };
    },
  },
];
