import type { Call } from '../../../prove/call-log.js';
import { CLOSING_MUTATIONS } from './closing-mutations.js';
import { type EvidenceMutation, first, firstSuccess, withCall, withState } from './mutate-evidence.js';
import { POLICY_MUTATIONS } from './policy-mutations.js';

export const EVIDENCE_MUTATIONS: readonly EvidenceMutation[] = [
  {
    invariant: 'no-deadlock',
    description: 'the database has ended a deadlock',
    mutate: (evidence) => withState(evidence, { deadlocks: 1 }),
  },
  {
    invariant: 'sold-once',
    description: 'two reservations of one seat are paid',
    mutate(evidence) {
      const { reservations } = evidence.state;
      const sold = first(reservations, ({ status }) => status === 'CONFIRMED');
      return withState(evidence, { reservations: [...reservations, { ...sold, id: 'another' }] });
    },
  },
  {
    invariant: 'held-once',
    description: 'a second hold on a seat begins before the first one ends',
    mutate(evidence) {
      const { reservations } = evidence.state;
      const held = first(reservations, ({ status }) => status === 'EXPIRED');
      const other = { ...held, id: 'another', created_at: held.created_at + 1 };
      return withState(evidence, { reservations: [...reservations, other] });
    },
  },
  {
    invariant: 'in-time',
    description: 'a hold is paid after it expired',
    mutate(evidence) {
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
    invariant: 'in-time',
    description: 'a free seat is refused as taken',
    mutate(evidence) {
      const { seats, reservations } = evidence.state;
      const wasHeld = new Set(reservations.flatMap(({ seatIds }) => seatIds));
      const { id } = first(seats, (seat) => !wasHeld.has(seat.id));
      const refused = firstSuccess(evidence, 'hold');
      return withCall(evidence, refused, {
        outcome: 'refused',
        code: 'ALREADY_RESERVED_SEAT',
        observed: { takenSeatIds: [id] },
      });
    },
  },
  {
    invariant: 'money',
    description: 'a balance is more than the sum of its entries',
    mutate: (evidence) =>
      withState(evidence, {
        wallets: evidence.state.wallets.map((row, index) =>
          index === 0 ? { ...row, balance: row.balance + 1 } : row,
        ),
      }),
  },
  {
    invariant: 'same-key',
    description: 'one key has two different responses',
    mutate(evidence) {
      const call = firstSuccess(evidence, 'charge');
      const second = { ...call, number: call.number + 1, responseText: `${call.responseText} ` };
      const byKey = new Map(evidence.byKey).set(call.request.key ?? '', [call, second]);
      return { ...evidence, byKey };
    },
  },
  {
    invariant: 'same-key',
    description: 'a key is refused first and succeeds later',
    mutate(evidence) {
      const call = firstSuccess(evidence, 'charge');
      const refused: Call = {
        ...call,
        number: call.number - 1,
        outcome: 'refused',
        status: 403,
        code: 'ACCESS_DENIED',
        responseText: '{}',
        observed: {},
      };
      const byKey = new Map(evidence.byKey).set(call.request.key ?? '', [refused, call]);
      return { ...evidence, byKey };
    },
  },
  {
    invariant: 'receipts',
    description: 'a payment has no debit',
    mutate: (evidence) =>
      withState(evidence, { entries: evidence.state.entries.filter(({ type }) => type !== 'PAYMENT') }),
  },
  {
    invariant: 'one-place',
    description: 'a user has two live places',
    mutate(evidence) {
      const { places } = evidence.state;
      const place = first(places, ({ status }) => status === 'WAITING');
      return withState(evidence, { places: [...places, { ...place, id: 'another', number: 1e9 }] });
    },
  },
  {
    invariant: 'in-order',
    description: 'a rank increases',
    mutate(evidence) {
      const polls = evidence.calls.filter(({ observed }) => observed.place?.status === 'WAITING');
      const again = first(polls, (call) =>
        polls.some(
          (other) => other.observed.place?.id === call.observed.place?.id && other.endMs < call.startMs,
        ),
      );
      return withCall(evidence, again, { observed: { place: { ...again.observed.place!, rank: 1e9 } } });
    },
  },
  {
    invariant: 'capacity',
    description: 'all places are ACTIVE at the same time',
    mutate(evidence) {
      const seen = evidence.calls.filter(({ observed }) => observed.place !== undefined);
      const ids = [...new Set(seen.map(({ observed }) => observed.place!.id))];
      const activeAt = (id: string, atMs: number): Call => {
        const call = first(seen, ({ observed }) => observed.place?.id === id);
        return {
          ...call,
          startMs: atMs,
          endMs: atMs,
          observed: { place: { ...call.observed.place!, status: 'ACTIVE' } },
        };
      };
      const atMs = evidence.calls[0]?.startMs ?? 0;
      return { ...evidence, calls: ids.flatMap((id) => [activeAt(id, atMs), activeAt(id, atMs + 1000)]) };
    },
  },
  {
    invariant: 'gate',
    description: 'a hold succeeds with a place that was never ACTIVE',
    mutate(evidence) {
      const waiting = first(evidence.state.places, (place) => place.activated_at === null);
      const hold = firstSuccess(evidence, 'hold');
      const attempts = evidence.byKey.get(hold.request.key ?? '') ?? [];
      const call = attempts[0] ?? hold;
      return withCall(evidence, call, {
        outcome: 'ok',
        observed: hold.observed,
        request: { ...call.request, placeId: waiting.id },
      });
    },
  },
  {
    invariant: 'gate',
    description: 'a forbidden request succeeds',
    mutate: (evidence) =>
      withCall(
        evidence,
        first(evidence.calls, ({ request }) => request.isForbidden === true),
        { outcome: 'ok' },
      ),
  },
  {
    invariant: 'sold-out',
    description: 'a date is reported as sold out with seats left',
    mutate(evidence) {
      const left = first(evidence.state.seats, ({ status }) => status !== 'SOLD');
      const dates = [{ id: left.schedule_id, seatsRemaining: 0, soldOut: true }];
      return withCall(evidence, firstSuccess(evidence, 'dates'), { observed: { dates } });
    },
  },
  {
    invariant: 'nothing-lost',
    description: 'an acknowledged charge is missing',
    mutate(evidence) {
      const lost = firstSuccess(evidence, 'charge').observed.entry?.id;
      return withState(evidence, { entries: evidence.state.entries.filter(({ id }) => id !== lost) });
    },
  },
  {
    invariant: 'nothing-lost',
    description: 'a place exists that was never acknowledged',
    mutate(evidence) {
      const { places } = evidence.state;
      return withState(evidence, { places: [...places, { ...places[0]!, id: 'another', number: 1e9 }] });
    },
  },
  {
    invariant: 'own-writes',
    description: 'a fan does not find the reservation they have just made',
    mutate(evidence) {
      const read = first(
        evidence.calls,
        ({ request, outcome }) => request.readsAfter?.request.operation === 'hold' && outcome === 'ok',
      );
      return withCall(evidence, read, { outcome: 'refused', observed: {}, code: 'RESERVATION_NOT_FOUND' });
    },
  },
  {
    invariant: 'settles',
    description: 'the outcome of a payment never becomes known',
    mutate(evidence) {
      const call = firstSuccess(evidence, 'pay');
      const attempts = (evidence.byKey.get(call.request.key ?? '') ?? []).map((each) => ({
        ...each,
        outcome: 'unknown' as const,
      }));
      return { ...evidence, byKey: new Map(evidence.byKey).set(call.request.key ?? '', attempts) };
    },
  },
  ...POLICY_MUTATIONS,
  ...CLOSING_MUTATIONS,
];
