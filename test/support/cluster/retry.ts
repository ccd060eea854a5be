import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Client } from '../client.js';

const PAUSE_MS = 30;
const GIVE_UP_MS = 20_000;

export interface FinalAnswer extends Answer {
  /** Whether it was sent more than once: what the first one did is not known. */
  readonly wasRetried: boolean;
}

/** It did not happen, or may have: whoever repeats it with the same key will know. */
const isInDoubt = ({ status, body }: Answer): boolean =>
  status === 503 || (status === 409 && body.code === 'IDEMPOTENCY_KEY_IN_FLIGHT');

/**
 * What a careful client does: sends a request again, and elsewhere, until it has an answer. `answerMaxMs` is how long it
 * waits for one.
 */
export async function retryUntilAnswered(
  send: (client: Client) => Promise<Answer>,
  nextClient: () => Client,
  answerMaxMs = GIVE_UP_MS,
): Promise<FinalAnswer> {
  const giveUpAtMs = performance.now() + GIVE_UP_MS;
  let last = '';
  for (let tries = 1; performance.now() < giveUpAtMs; tries += 1) {
    try {
      const answer = await inTime(send(nextClient()), answerMaxMs);
      if (!isInDoubt(answer)) return { ...answer, wasRetried: tries > 1 };
      last = answer.text;
    } catch (error) {
      last = String(error);
    }
    await sleep(PAUSE_MS * (0.5 + Math.random()));
  }
  throw new Error(`not answered within ${GIVE_UP_MS} ms; the last word was ${last}`);
}

async function inTime(answer: Promise<Answer>, maxMs: number): Promise<Answer> {
  const timer = new AbortController();
  const tooLate = sleep(maxMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`no answer within ${maxMs} ms`);
  });
  tooLate.catch(() => undefined);
  answer.catch(() => undefined);
  return Promise.race([answer, tooLate]).finally(() => {
    timer.abort();
  });
}
