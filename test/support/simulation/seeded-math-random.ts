import { mulberry32 } from '../prng.js';

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
