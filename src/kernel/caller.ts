/** The content of a queue token: an account and its place in the queue of one concert. */
export interface PlaceClaim {
  readonly token: string;
  readonly userId: string;
  readonly concertId: string;
  readonly placeId: string;
  readonly number: number;
  readonly joinedAt: string;
}

/** The authenticated caller: an account by its access token, or an account and its place by a queue token. */
export type Caller =
  | { readonly kind: 'access'; readonly userId: string }
  | { readonly kind: 'queue'; readonly userId: string; readonly place: PlaceClaim };
