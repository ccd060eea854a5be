/** What a fan may ask for. */
export type What =
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

/** Done; certainly not done; or nobody knows: no answer, or one that says so. */
export type Outcome = 'ok' | 'refused' | 'unknown';

/** What an answer said, as far as a promise depends on it. */
export interface Saw {
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
  /** Seats that were refused because somebody has them. */
  readonly taken?: readonly string[];
  readonly dates?: readonly {
    readonly id: string;
    readonly seatsRemaining: number;
    readonly soldOut: boolean;
  }[];
}

/** What a fan wants of the server. */
export interface Wish {
  readonly what: What;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly token: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly key?: string;
  /** The place that opens the gate for it. */
  readonly placeId?: string;
  /** What it is about: seats that are wanted, a reservation, a payment. */
  readonly ids?: readonly string[];
  /** The write that it looks for, as one who has just made it. */
  readonly after?: Call;
  /** It must never be granted. */
  readonly isCheat?: boolean;
}

/** One call as it was seen from outside. */
export interface Call {
  readonly number: number;
  readonly fan: number;
  readonly door: number;
  readonly wish: Wish;
  readonly startMs: number;
  readonly endMs: number;
  readonly outcome: Outcome;
  /** 0 when no answer came. */
  readonly status: number;
  readonly code: string;
  readonly reason: string;
  /** Kept where it must be the same again. */
  readonly text: string;
  readonly saw: Saw;
}

/** Every call of a run, in the order of their answers. */
export class CallRecord {
  readonly calls: Call[] = [];

  add(call: Omit<Call, 'number'>): Call {
    const numbered = { number: this.calls.length + 1, ...call };
    this.calls.push(numbered);
    return numbered;
  }
}
