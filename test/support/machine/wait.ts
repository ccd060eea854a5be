import { setTimeout as sleep } from 'node:timers/promises';

export const WAIT_MAX_MS = 20_000;
const POLL_MS = 20;

/** Polls until the condition is true. After 20 s, throws an error that names `what`. */
export async function waitUntil(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const giveUpAtMs = performance.now() + WAIT_MAX_MS;
  while (!(await isTrue())) {
    if (performance.now() > giveUpAtMs) throw timeoutError(what);
    await sleep(POLL_MS);
  }
}

/** Waits for the promise. After 20 s, throws an error that names `what`. */
export async function withTimeout<T>(what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(timeoutError(what));
    }, WAIT_MAX_MS);
  });
  return Promise.race([promise, timedOut]).finally(() => {
    clearTimeout(timer);
  });
}

const timeoutError = (what: string): Error => new Error(`${what} took longer than ${WAIT_MAX_MS / 1000} s`);
