import { topic } from '../platform/sql/index.js';
import type { Policy } from './policy/policy.js';

/** Change-feed topics: what every process learns about queues and places once it is committed. */

export const queueOpened = topic<{
  readonly concertId: string;
  readonly policy: Policy;
  readonly closesAtMs: number;
}>('queue-opened');

export const policyChanged = topic<{
  readonly concertId: string;
  readonly policy: Policy;
  readonly atMs: number;
}>('policy-changed');

/** Numbers up to `lastNumber` have been assigned. */
export const queueGrew = topic<{ readonly concertId: string; readonly lastNumber: number }>('queue-grew');

// An alias, not an interface: only an alias is assignable to `Json`.
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

/** ACTIVE places that ended. */
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

/** Last requests of the owners of ACTIVE places. */
export const placesSeen = topic<{
  readonly concertId: string;
  readonly places: readonly { readonly number: number; readonly lastSeenAtMs: number }[];
}>('places-seen');

/** The sale closed: every place up to `closedThrough` that was still waiting has ended. */
export const queueClosed = topic<{
  readonly concertId: string;
  readonly closedThrough: number;
  readonly atMs: number;
}>('queue-closed');

/** The last seat was sold, or a sold seat is free again. */
export const soldOutChanged = topic<{ readonly concertId: string; readonly soldOut: boolean }>(
  'sold-out-changed',
);
