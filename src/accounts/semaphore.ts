import { Refusal } from '../kernel/refusal.js';

export interface SemaphoreLimits {
  readonly concurrentMax: number;
  readonly waitingMax: number;
}

export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets a few pieces of work run at once and a bounded number wait, first come first served; the rest is refused. */
export function createSemaphore({ concurrentMax, waitingMax }: SemaphoreLimits): Semaphore {
  let running = 0;
  const waiting: (() => void)[] = [];

  const leave = (): void => {
    const next = waiting.shift();
    // The place is handed on, not given up, so that nobody who arrives in between can take it.
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
      leave();
    }
  };
}
