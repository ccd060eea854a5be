import { topic } from '../platform/sql/index.js';
import type { Policy } from './policy/policy.js';

/** What happened to lines and places, as every process is told once it is durable. */

export const queueOpened = topic<{ readonly concertId: string; readonly policy: Policy }>('queue-opened');

export const policyChanged = topic<{
  readonly concertId: string;
  readonly policy: Policy;
  readonly atMs: number;
}>('policy-changed');

/** Numbers up to this one have been given. */
export const queueGrew = topic<{ readonly concertId: string; readonly lastNumber: number }>('queue-grew');

// An alias, not an interface: what is announced must be plain JSON.
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions
export type AdmittedPlace = {
  readonly placeId: string;
  readonly userId: string;
  readonly number: number;
  readonly joinedAtMs: number;
  readonly activatedAtMs: number;
  readonly expiresAtMs: number;
};

export const placesAdmitted = topic<{
  readonly concertId: string;
  readonly places: readonly AdmittedPlace[];
}>('places-admitted');

/** ACTIVE places that are over. */
export const placesEnded = topic<{
  readonly concertId: string;
  readonly how: 'DONE' | 'EXPIRED' | 'LEFT';
  readonly places: readonly { readonly placeId: string; readonly number: number }[];
}>('places-ended');

export const waitingLeft = topic<{
  readonly concertId: string;
  readonly placeId: string;
  readonly number: number;
}>('waiting-left');

/** Whose owners have been heard of, and when. */
export const placesSeen = topic<{
  readonly concertId: string;
  readonly places: readonly { readonly number: number; readonly lastSeenAtMs: number }[];
}>('places-seen');
