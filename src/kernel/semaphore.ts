import { Refusal } from './refusal.js';

export interface SemaphoreLimits {
  readonly concurrentMax: number;
  readonly waitingMax: number;
}

export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs up to `concurrentMax` tasks; up to `waitingMax` more wait in order of arrival, the rest is refused with UNAVAILABLE. */
export function createSemaphore({ concurrentMax, waitingMax }: SemaphoreLimits): Semaphore {
  let running = 0;
  const waiting: (() => void)[] = [];

  const release = (): void => {
    const next = waiting.shift();
    // Passes the permit on without decrementing, so that a new task cannot overtake the waiting one.
    if (next) next();
    else running -= 1;
  };

  return async (work) => {
    if (running < concurrentMax) running += 1;
    else if (waiting.length < waitingMax) await new Promise<void>((resolve) => waiting.push(resolve));
    else throw new Refusal('UNAVAILABLE');
    try {
      return await work();
    } finally {
      release();
    }
  };
}
