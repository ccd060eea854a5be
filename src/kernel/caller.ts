/** What a queue token says: whose place it is, in which concert's line, and where in that line. */
export interface PlaceClaim {
  readonly token: string;
  readonly userId: string;
  readonly concertId: string;
  readonly placeId: string;
  readonly number: number;
  readonly joinedAt: string;
}

/** Who is calling, as proved by the credential: an account, or an account speaking through its place in a line. */
export type Caller =
  | { readonly kind: 'access'; readonly userId: string }
  | { readonly kind: 'queue'; readonly userId: string; readonly place: PlaceClaim };
