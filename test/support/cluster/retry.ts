import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Client } from '../client.js';

const RETRY_MS = 30;
const GIVE_UP_MS = 20_000;

export interface FinalAnswer extends Answer {
  /** Whether the request was sent more than once; an earlier attempt may already have taken effect. */
  readonly wasRetried: boolean;
}

/** The outcome is unknown; a retry with the same key reveals it. */
const isInDoubt = ({ status, body }: Answer): boolean =>
  status === 503 || (status === 409 && body.code === 'IDEMPOTENCY_KEY_IN_FLIGHT');

/**
 * Behaves like a careful client: retries a request at the next process until it gets a definite response. `answerMaxMs` is
 * how long it waits for each response.
 */
export async function retryUntilAnswered(
  send: (client: Client) => Promise<Answer>,
  nextClient: () => Client,
  answerMaxMs = GIVE_UP_MS,
): Promise<FinalAnswer> {
  const giveUpAtMs = performance.now() + GIVE_UP_MS;
  let last = '';
  for (let attempt = 1; performance.now() < giveUpAtMs; attempt += 1) {
    try {
      const answer = await withTimeout(send(nextClient()), answerMaxMs);
      if (!isInDoubt(answer)) return { ...answer, wasRetried: attempt > 1 };
      last = answer.text;
    } catch (error) {
      last = String(error);
    }
    await sleep(RETRY_MS * (0.5 + Math.random()));
  }
  throw new Error(`no definite response within ${GIVE_UP_MS} ms; the last result was ${last}`);
}

async function withTimeout(answer: Promise<Answer>, maxMs: number): Promise<Answer> {
  const timer = new AbortController();
  const timedOut = sleep(maxMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`no response within ${maxMs} ms`);
  });
  timedOut.catch(() => undefined);
  answer.catch(() => undefined);
  return Promise.race([answer, timedOut]).finally(() => {
    timer.abort();
  });
}
