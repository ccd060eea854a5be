import type { Answer } from './client.js';

/** One fan of the load: whose turn in the line, which hold, what was charged. */
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
  /** The smallest rank that was answered while it was WAITING. */
  rank: number;
  /** How it must have ended, as far as that was acknowledged. */
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
  /** A receipt never changes. */
  readonly end?: undefined;
}

/** A request with a key that was sent, and whose answer never came. */
export interface InDoubt {
  readonly fan: LoadFan;
  readonly what: 'charge' | 'pay';
  readonly key: string;
  readonly path: string;
  readonly token: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Everything the server has acknowledged, over all its lives; and what it was asked for and could not answer. */
export class Books {
  readonly places = new Map<string, KnownPlace>();
  readonly holds = new Map<string, KnownHold>();
  readonly charges = new Map<string, KnownCharge>();
  readonly payments = new Map<string, KnownPayment>();
  readonly inDoubt: InDoubt[] = [];
  /** Places and holds whose end was asked for without an answer: they may have ended or not. */
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
