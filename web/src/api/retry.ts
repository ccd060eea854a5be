import { Problem, ConnectionError } from './problem.js';

const ATTEMPTS_MAX = 4;
const FIRST_BACKOFF_MS = 400;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Exponential back-off with jitter. */
export const backoffMs = (attempt: number, firstMs: number, maxMs: number): number =>
  Math.min(maxMs, firstMs * 2 ** attempt) * (0.5 + Math.random() / 2);

const isRetryable = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof Problem && error.isTransient && error.status !== 429);

/**
 * Retries while the server is unreachable or overloaded. Only for requests that are safe to repeat: reads, and writes with an
 * idempotency key.
 */
export async function withRetries<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (attempt + 1 >= ATTEMPTS_MAX || !isRetryable(error)) throw error;
      await wait(backoffMs(attempt, FIRST_BACKOFF_MS, 4000));
    }
  }
}
