import type { Answer } from './client.js';

/** A simulated fan with the current place, the current hold and the number of charges. */
export interface LoadFan {
  readonly userId: string;
  readonly accessToken: string;
  place: { readonly token: string; status: string } | undefined;
  hold: { readonly id: string; isFunded: boolean } | undefined;
  charges: number;
}

export interface KnownPlace {
  readonly fan: LoadFan;
  readonly token: string;
  readonly number: number;
  /** The smallest rank that was returned while the place was WAITING. */
  rank: number;
  /** The acknowledged end of the place; undefined if none was acknowledged. */
  end: 'DONE' | 'LEFT' | undefined;
}

export interface KnownHold {
  readonly fan: LoadFan;
  readonly body: Answer['body'];
  end: 'CONFIRMED' | 'CANCELLED' | undefined;
}

export interface KnownCharge {
  readonly fan: LoadFan;
  readonly amount: number;
  readonly entry: Answer['body'];
}

export interface KnownPayment {
  readonly fan: LoadFan;
  readonly token: string;
  readonly key: string;
  readonly reservationId: string;
  readonly text: string;
  readonly id: string;
  /** Always undefined: a receipt never changes. */
  readonly end?: undefined;
}

/** A request with an idempotency key that was sent and got no response. */
export interface InDoubt {
  readonly fan: LoadFan;
  readonly what: 'charge' | 'pay';
  readonly key: string;
  readonly path: string;
  readonly token: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Every write that the servers have acknowledged, across restarts, and every request without a response. */
export class AcknowledgedWrites {
  readonly places = new Map<string, KnownPlace>();
  readonly holds = new Map<string, KnownHold>();
  readonly charges = new Map<string, KnownCharge>();
  readonly payments = new Map<string, KnownPayment>();
  readonly inDoubt: InDoubt[] = [];
  /** Ids of places and holds whose end was requested without a response: they may have ended or not. */
  readonly endInDoubt = new Set<string>();

  counts(): Record<string, number> {
    return {
      joins: this.places.size,
      leaves: [...this.places.values()].filter(({ end }) => end === 'LEFT').length,
      holds: this.holds.size,
      releases: [...this.holds.values()].filter(({ end }) => end === 'CANCELLED').length,
      charges: this.charges.size,
      payments: this.payments.size,
    };
  }
}
