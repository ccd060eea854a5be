/** The record of every API call that the workload made: what was requested, when, and what the response said. */

export type Operation =
  | 'join'
  | 'poll'
  | 'leave'
  | 'dates'
  | 'seats'
  | 'hold'
  | 'reservation'
  | 'release'
  | 'charge'
  | 'wallet'
  | 'pay'
  | 'receipt'
  | 'refund'
  | 'edit-policy'
  | 'edit-sale';

/** The index of the operator, who is no fan. */
export const OPERATOR_INDEX = -1;

/** Succeeded; certainly had no effect; or it is not known whether it had one (no response, a 5xx, still in flight). */
export type Outcome = 'ok' | 'refused' | 'unknown';

/** The parts of a response that an invariant depends on. */
export interface Observation {
  readonly place?: {
    readonly id: string;
    readonly number: number;
    readonly status: 'WAITING' | 'ACTIVE' | 'DONE' | 'EXPIRED' | 'CLOSED';
    readonly rank: number;
    readonly activatedAtMs: number | null;
    readonly token: string;
  };
  readonly reservation?: {
    readonly id: string;
    readonly seatIds: readonly string[];
    readonly amount: number;
    readonly status: string;
    readonly expiresAtMs: number;
  };
  readonly entry?: { readonly id: string; readonly amount: number; readonly balanceAfter: number };
  readonly payment?: {
    readonly id: string;
    readonly reservationId: string;
    readonly amount: number;
    readonly balanceAfter: number;
    readonly refundedAtMs: number | null;
  };
  readonly refund?: { readonly paymentId: string; readonly amount: number; readonly refundedAtMs: number };
  readonly balance?: number;
  /** The seats that made the server refuse a hold with ALREADY_RESERVED_SEAT. */
  readonly takenSeatIds?: readonly string[];
  readonly dates?: readonly {
    readonly id: string;
    readonly seatsRemaining: number;
    readonly soldOut: boolean;
  }[];
}

export interface ApiRequest {
  readonly operation: Operation;
  readonly method: 'GET' | 'POST' | 'DELETE' | 'PATCH';
  readonly path: string;
  readonly token: string;
  /** The sale that the request is about, unless it is about none. */
  readonly concertId?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Idempotency key. */
  readonly key?: string;
  /** The place that the request uses to pass the gate; undefined if it needs none. */
  readonly placeId?: string;
  /** The seats, reservation or payment that the request is about. */
  readonly subjectIds?: readonly string[];
  /** The write of the same fan that this read must see (read-your-writes). */
  readonly readsAfter?: Call;
  /** The server must refuse it. */
  readonly isForbidden?: boolean;
}

/** One call as the client observed it. */
export interface Call {
  readonly number: number;
  /** Index of the fan, or `OPERATOR_INDEX`. */
  readonly fan: number;
  readonly processIndex: number;
  readonly request: ApiRequest;
  readonly startMs: number;
  readonly endMs: number;
  readonly outcome: Outcome;
  /** 0 when no response arrived. */
  readonly status: number;
  readonly code: string;
  readonly reason: string;
  /** The value of `Retry-After`; empty without one. */
  readonly retryAfter: string;
  /** The body, kept only for requests whose response must be repeatable byte for byte; otherwise empty. */
  readonly responseText: string;
  readonly observed: Observation;
}

/** Every call of a run, in the order in which the responses arrived. */
export class CallLog {
  readonly calls: Call[] = [];

  add(call: Omit<Call, 'number'>): Call {
    const numbered = { number: this.calls.length + 1, ...call };
    this.calls.push(numbered);
    return numbered;
  }
}
