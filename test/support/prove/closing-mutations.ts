import type { Call } from '../../../prove/call-log.js';
import type { Evidence } from '../../../prove/check/index.js';
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

/** Repeats a call without a key at the end of the run, in a sale that closed long before. */
function inClosedSale(evidence: Evidence, call: Call, change: Partial<Call> = {}): Evidence {
  const { concertId } = saleOfKind(evidence, 'timed');
  const { key: _, ...request } = call.request;
  return withLateCall(evidence, call, { request: { ...request, concertId }, ...change });
}

/** Violations of the end of a sale. */
export const CLOSING_MUTATIONS: readonly EvidenceMutation[] = [
  {
    invariant: 'ends',
    description: 'a fan still waits after the sale has closed',
    mutate: (evidence) => inClosedSale(evidence, first(evidence.calls, showsStatus('WAITING'))),
  },
  {
    invariant: 'ends',
    description: 'a fan joins after the sale has closed',
    mutate: (evidence) =>
      inClosedSale(
        evidence,
        first(evidence.calls, ({ request, status }) => request.operation === 'join' && status === 201),
      ),
  },
  {
    invariant: 'ends',
    description: 'a join is refused without the reason that the sale has closed',
    mutate: (evidence) =>
      inClosedSale(evidence, firstSuccess(evidence, 'join'), {
        outcome: 'refused',
        status: 409,
        code: 'SALES_NOT_OPEN',
        observed: {},
      }),
  },
  {
    invariant: 'ends',
    description: 'a hold succeeds after the sale has closed',
    mutate: (evidence) => inClosedSale(evidence, firstSuccess(evidence, 'hold')),
  },
  {
    invariant: 'ends',
    description: 'a gated payment succeeds after the sale has closed',
    mutate: (evidence) =>
      inClosedSale(
        evidence,
        first(
          evidence.calls,
          ({ request, outcome }) =>
            request.operation === 'pay' && request.placeId !== undefined && outcome === 'ok',
        ),
      ),
  },
  {
    invariant: 'ends',
    description: 'dates are read after the sale has closed',
    mutate: (evidence) => inClosedSale(evidence, firstSuccess(evidence, 'dates')),
  },
  {
    invariant: 'ends',
    description: 'a row still waits after the sale has closed',
    mutate(evidence) {
      const { places } = evidence.state;
      const { concertId } = saleOfKind(evidence, 'timed');
      const place = first(places, (row) => row.concert_id === concertId);
      const waiting = { ...place, id: 'another', number: 1e9, status: 'WAITING', ended_at: null };
      return withState(evidence, { places: [...places, waiting] });
    },
  },
  {
    invariant: 'ends',
    description: 'a fan is closed out of an open sale',
    mutate(evidence) {
      const call = callOf(evidence, saleOfKind(evidence, 'main'), showsStatus('WAITING'));
      const place = { ...placeOf(call), status: 'CLOSED' as const, rank: 0 };
      return withCall(evidence, call, { observed: { place } });
    },
  },
  {
    invariant: 'ends',
    description: 'a place that was closed waits again',
    mutate(evidence) {
      const call = first(evidence.calls, showsStatus('WAITING'));
      const place = { ...placeOf(call), rank: 0 };
      const closedAtMs = evidence.state.readAtMs - 3;
      const closed = inClosedSale(evidence, call, {
        startMs: closedAtMs,
        endMs: closedAtMs,
        observed: { place: { ...place, status: 'CLOSED' } },
      });
      return inClosedSale(closed, call, { observed: { place: { ...place, status: 'ACTIVE' } } });
    },
  },
  {
    invariant: 'ends',
    description: 'a sale with free seats is called sold out',
    mutate(evidence) {
      const join = callOf(
        evidence,
        saleOfKind(evidence, 'main'),
        ({ request }) => request.operation === 'join',
      );
      return withCall(evidence, join, { outcome: 'refused', status: 409, code: 'SOLD_OUT', observed: {} });
    },
  },
];
