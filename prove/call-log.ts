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
  | 'receipt';

/** Succeeded; certainly had no effect; or it is not known whether it had one (no response, a 5xx, still in flight). */
export type Outcome = 'ok' | 'refused' | 'unknown';

/** The parts of a response that an invariant depends on. */
export interface Observation {
  readonly place?: {
    readonly id: string;
    readonly number: number;
    readonly status: 'WAITING' | 'ACTIVE' | 'DONE' | 'EXPIRED';
    readonly rank: number;
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
  };
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
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly token: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Idempotency key. */
  readonly key?: string;
  /** The place that the request uses to pass the gate. */
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
  /** Index of the fan. */
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
