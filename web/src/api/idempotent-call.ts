import { newIdempotencyKey } from './client.js';
import { Problem } from './problem.js';
import { withRetries } from './retry.js';

/**
 * Makes a user action idempotent: retries and further presses of the button send the same idempotency key. A new key is used
 * after a final response, or when the request differs.
 */
export function createIdempotentCall() {
  let pending: string | undefined;
  let key = '';

  return async function run<T>(request: unknown, send: (key: string) => Promise<T>): Promise<T> {
    const description = JSON.stringify(request);
    if (pending !== description) key = newIdempotencyKey();
    pending = description;
    try {
      const response = await withRetries(() => send(key));
      pending = undefined;
      return response;
    } catch (error) {
      // A refusal is final: the next press is a new request. Without a response the outcome is unknown, so the key stays.
      if (error instanceof Problem && !error.isTransient) pending = undefined;
      throw error;
    }
  };
}
