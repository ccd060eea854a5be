import { denied } from './refusal.js';

/** A place in the queue of one concert, as far as its queue token describes it. */
export interface Place {
  readonly userId: string;
  readonly concertId: string;
  readonly placeId: string;
  readonly number: number;
  readonly joinedAt: string;
}

/** The content of a queue token. */
export interface PlaceClaim extends Place {
  readonly token: string;
  /** Of the account when the token was issued. A higher version of the account revokes the token. */
  readonly credentialVersion: number;
  /** After the last date of the concert: no place of it matters any more. */
  readonly expiresAtMs: number;
}

export interface AccessCaller {
  readonly kind: 'access';
  readonly userId: string;
  readonly credentialVersion: number;
  /** Undefined in a token without `jti`: it can be revoked only with all sessions of its account. */
  readonly sessionId: string | undefined;
}

export interface QueueCaller {
  readonly kind: 'queue';
  readonly userId: string;
  readonly place: PlaceClaim;
}

/** The authenticated caller: an account by its access token, or an account and its place by a queue token. */
export type Caller = AccessCaller | QueueCaller;

/** The concert to which the caller's token is limited; null for an access token. */
export const scopeOf = (caller: Caller): string | null =>
  caller.kind === 'queue' ? caller.place.concertId : null;

/** A queue token speaks for its own concert only. */
export function requireScope(caller: Caller, concertId: string): void {
  if ((scopeOf(caller) ?? concertId) !== concertId) throw denied('WRONG_CONCERT');
}
