/** Replaces `Math.random` by a seeded generator while `work` runs, so that the same seed gives the same history. */
export async function withSeededMathRandom<T>(seed: number, work: () => Promise<T>): Promise<T> {
  const { random } = Math;
  Math.random = mulberry32(seed);
  try {
    return await work();
  } finally {
    Math.random = random;
  }
}

/** Tommy Ettinger's mulberry32: 32 bits of state, and good enough to choose a seat. */
function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
