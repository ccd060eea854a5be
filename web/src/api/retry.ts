import { Problem, Unreachable } from './problem.js';

const TRIES_MAX = 4;
const FIRST_WAIT_MS = 400;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Longer each time, and never in step with everybody else's. */
export const backoffMs = (attempt: number, firstMs: number, maxMs: number): number =>
  Math.min(maxMs, firstMs * 2 ** attempt) * (0.5 + Math.random() / 2);

const mayPass = (error: unknown): boolean =>
  error instanceof Unreachable || (error instanceof Problem && error.isPassing && error.status !== 429);

/**
 * Asks again while nobody answers or the server is busy. Only for what may be asked twice: reads, and writes with an
 * idempotency key.
 */
export async function withRetries<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (attempt + 1 >= TRIES_MAX || !mayPass(error)) throw error;
      await wait(backoffMs(attempt, FIRST_WAIT_MS, 4000));
    }
  }
}
