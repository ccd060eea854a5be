/** The earlier of two ISO times, of which the second may be missing. */
export const earlierOf = (one: string, other: string | null | undefined): string =>
  other !== null && other !== undefined && Date.parse(other) < Date.parse(one) ? other : one;
