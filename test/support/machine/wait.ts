import { setTimeout as sleep } from 'node:timers/promises';

export const WAIT_MAX_MS = 20_000;
const LOOK_EVERY_MS = 20;

/** Looks again and again until the answer is yes; gives up with a sentence. */
export async function waitUntil(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAtMs = performance.now() + WAIT_MAX_MS;
  while (!(await isSo())) {
    if (performance.now() > giveUpAtMs) throw tookTooLong(what);
    await sleep(LOOK_EVERY_MS);
  }
}

/** The promise, or a sentence when it takes too long. */
export async function withTimeout<T>(what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(tookTooLong(what));
    }, WAIT_MAX_MS);
  });
  return Promise.race([promise, tooLate]).finally(() => {
    clearTimeout(timer);
  });
}

const tookTooLong = (what: string): Error => new Error(`${what} took longer than ${WAIT_MAX_MS / 1000} s`);
