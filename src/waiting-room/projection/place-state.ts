export interface ActivePlace {
  readonly concertId: string;
  readonly placeId: string;
  readonly userId: string;
  readonly number: number;
  readonly joinedAtMs: number;
  readonly activatedAtMs: number;
  readonly expiresAtMs: number;
  /** The last request of any kind. The database gets it in batches, later. */
  lastSeenAtMs: number;
  persistedLastSeenAtMs: number;
}

export type PlaceState =
  | { readonly status: 'WAITING'; readonly rank: number }
  | { readonly status: 'ACTIVE'; readonly place: ActivePlace }
  | { readonly status: 'EXPIRED'; readonly place: ActivePlace }
  | { readonly status: 'LEFT' }
  | { readonly status: 'CLOSED' }
  | { readonly status: 'ENDED' }
  | { readonly status: 'UNKNOWN' };
