import type { Call } from '../../../prove/call-log.js';
import { isRetry } from '../../../prove/check/evidence.js';
import type { Evidence } from '../../../prove/check/index.js';
import type { Sale } from '../../../prove/scenario/scenario.js';

/** A change to the evidence of a correct run that violates one invariant, to show that the checker can fail. */
export interface EvidenceMutation {
  readonly invariant: string;
  readonly description: string;
  readonly mutate: (evidence: Evidence) => Evidence;
}

export function first<T>(items: readonly T[], isMatch: (item: T) => boolean): T {
  const found = items.find(isMatch);
  if (found === undefined) throw new Error('the evidence has nothing that this mutation could change');
  return found;
}

export const withState = (evidence: Evidence, state: Partial<Evidence['state']>): Evidence => ({
  ...evidence,
  state: { ...evidence.state, ...state },
});

/** Replaces one call, in both places that hold it. */
export const withCall = (evidence: Evidence, call: Call, change: Partial<Call>): Evidence => {
  const replace = (each: Call): Call => (each === call ? { ...each, ...change } : each);
  return {
    ...evidence,
    calls: evidence.calls.map(replace),
    byKey: new Map([...evidence.byKey].map(([key, calls]) => [key, calls.map(replace)])),
  };
};

/** Never a retry: its response may be a stored one, which the checker accepts. */
export const firstSuccess = (evidence: Evidence, operation: string): Call =>
  first(
    evidence.calls,
    (call) => call.outcome === 'ok' && call.request.operation === operation && !isRetry(evidence, call),
  );

export const saleOfKind = ({ scenario }: Evidence, kind: Sale['kind']): Sale =>
  first(scenario.sales, (sale) => sale.kind === kind);

/** A call about this sale. */
export const callOf = (evidence: Evidence, { concertId }: Sale, isMatch: (call: Call) => boolean): Call =>
  first(evidence.calls, (call) => call.request.concertId === concertId && isMatch(call));

/** Adds a call at the end of the run, like an existing one. */
export const withLateCall = (evidence: Evidence, call: Call, change: Partial<Call>): Evidence => {
  const atMs = evidence.state.readAtMs;
  const late: Call = {
    ...call,
    number: evidence.calls.length + 1,
    startMs: atMs - 1,
    endMs: atMs,
    ...change,
  };
  return { ...evidence, calls: [...evidence.calls, late] };
};

export const placeOf = ({ observed: { place } }: Call): NonNullable<Call['observed']['place']> => {
  if (!place) throw new Error('the call showed no place');
  return place;
};

export const showsStatus =
  (status: NonNullable<Call['observed']['place']>['status']) =>
  ({ observed }: Call): boolean =>
    observed.place?.status === status;
