import {
  callOf,
  type EvidenceMutation,
  first,
  firstSuccess,
  placeOf,
  saleOfKind,
  showsStatus,
  withCall,
  withLateCall,
  withState,
} from './mutate-evidence.js';

/** Violations of policies, refunds and rate limits. */
export const POLICY_MUTATIONS: readonly EvidenceMutation[] = [
  {
    invariant: 'portions',
    description: 'a whole queue is admitted at once',
    mutate(evidence) {
      const { concertId } = saleOfKind(evidence, 'portions');
      const atMs = evidence.state.readAtMs;
      return withState(evidence, {
        places: evidence.state.places.map((row) =>
          row.concert_id === concertId ? { ...row, activated_at: atMs } : row,
        ),
      });
    },
  },
  {
    invariant: 'idle',
    description: 'a place is ACTIVE although its fan has slept for a minute',
    mutate(evidence) {
      const call = callOf(evidence, saleOfKind(evidence, 'idle'), showsStatus('ACTIVE'));
      const atMs = evidence.state.readAtMs + 60_000;
      return withLateCall(evidence, call, { startMs: atMs, endMs: atMs });
    },
  },
  {
    invariant: 'idle',
    description: 'a place expires although its fan has just made a request',
    mutate(evidence) {
      const sale = saleOfKind(evidence, 'idle');
      const call = callOf(evidence, sale, showsStatus('ACTIVE'));
      const expired = { ...placeOf(call), status: 'EXPIRED' as const };
      const { startMs, endMs } = call;
      const calm = { ...evidence, faults: [] };
      return withLateCall(calm, call, {
        startMs: startMs + 1,
        endMs: endMs + 1,
        observed: { place: expired },
      });
    },
  },
  {
    invariant: 'policy',
    description: 'a place is admitted while the queue is paused',
    mutate(evidence) {
      const { concertId } = saleOfKind(evidence, 'edited');
      const { audit, places, readAtMs } = evidence.state;
      const paused = { action: 'POLICY_CHANGED', details: '{"paused":{"from":false,"to":true}}' };
      return withState(evidence, {
        audit: [...audit, { concert_id: concertId, created_at: readAtMs, ...paused }],
        places: places.map((row) =>
          row.concert_id === concertId && row.activated_at !== null
            ? { ...row, activated_at: readAtMs + 60_000 }
            : row,
        ),
      });
    },
  },
  {
    invariant: 'policy',
    description: 'places are admitted although maxActive is 0',
    mutate(evidence) {
      const { concertId } = saleOfKind(evidence, 'edited');
      const none = { action: 'POLICY_CHANGED', details: '{"maxActive":{"from":5,"to":0}}' };
      return withState(evidence, { audit: [{ concert_id: concertId, created_at: 0, ...none }] });
    },
  },
  {
    invariant: 'consumed',
    description: 'a place books again after a hold has consumed it',
    mutate(evidence) {
      const sale = saleOfKind(evidence, 'reservation');
      const hold = callOf(
        evidence,
        sale,
        (call) => call.request.operation === 'hold' && call.outcome === 'ok',
      );
      const { key: _, ...request } = hold.request;
      return withLateCall(evidence, hold, { request });
    },
  },
  {
    invariant: 'consumed',
    description: 'a payment needs the place that its hold has consumed',
    mutate(evidence) {
      const sale = saleOfKind(evidence, 'reservation');
      const pay = callOf(evidence, sale, ({ request }) => request.operation === 'pay');
      return withCall(evidence, pay, {
        outcome: 'refused',
        code: 'ACCESS_DENIED',
        reason: 'USED',
        observed: {},
      });
    },
  },
  {
    invariant: 'refunds',
    description: 'a payment is refunded twice',
    mutate(evidence) {
      const { entries } = evidence.state;
      const refund = first(entries, ({ type }) => type === 'REFUND');
      return withState(evidence, { entries: [...entries, { ...refund, id: 'another' }] });
    },
  },
  {
    invariant: 'refunds',
    description: 'a refunded seat stays sold',
    mutate(evidence) {
      const { payments, seats } = evidence.state;
      const { reservation_id: owner } = first(payments, (row) => row.refunded_at !== null);
      const sold = { status: 'SOLD', reservation_id: owner };
      return withState(evidence, {
        seats: seats.map((seat, index) => (index === 0 ? { ...seat, ...sold } : seat)),
      });
    },
  },
  {
    invariant: 'refunds',
    description: 'the receipt of a refunded payment does not say so',
    mutate(evidence) {
      const refund = firstSuccess(evidence, 'refund');
      const receipt = firstSuccess(evidence, 'receipt');
      const payment = {
        ...receipt.observed.payment!,
        id: refund.observed.refund!.paymentId,
        refundedAtMs: null,
      };
      return withLateCall(evidence, receipt, { observed: { payment } });
    },
  },
  {
    invariant: 'limited',
    description: 'a request is refused without Retry-After',
    mutate: (evidence) =>
      withCall(
        evidence,
        first(evidence.calls, ({ status }) => status === 429),
        { retryAfter: '' },
      ),
  },
];
