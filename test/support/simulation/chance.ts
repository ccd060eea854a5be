import { mulberry32 } from '../prng.js';

/** Throws the engine's own dice from a seed while the work lasts, so that the same seed gives the same history. */
export async function withChance<T>(seed: number, work: () => Promise<T>): Promise<T> {
  const { random } = Math;
  Math.random = mulberry32(seed);
  try {
    return await work();
  } finally {
    Math.random = random;
  }
}
