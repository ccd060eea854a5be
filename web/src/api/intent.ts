import { newKey } from './client.js';
import { Problem } from './problem.js';
import { withRetries } from './retry.js';

/**
 * One thing the user wants done once. Its key is sent again with every retry and every further press, until the server has
 * answered for certain; then, or when something else is wanted, there is a new key.
 */
export function createIntent() {
  let what: string | undefined;
  let key = '';

  return async function attempt<T>(wanted: unknown, ask: (key: string) => Promise<T>): Promise<T> {
    const description = JSON.stringify(wanted);
    if (what !== description) key = newKey();
    what = description;
    try {
      const answer = await withRetries(() => ask(key));
      what = undefined;
      return answer;
    } catch (error) {
      // A refusal is an answer: wanting the same again is a new wish. Silence is none.
      if (error instanceof Problem && !error.isPassing) what = undefined;
      throw error;
    }
  };
}
