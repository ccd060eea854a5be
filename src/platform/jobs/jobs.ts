import { assert } from '../../kernel/assert.js';
import { HOUR_MS } from '../../kernel/time.js';

/** Processes that started together must not knock on the database together for ever. */
const JITTER_SHARE = 0.1;
/** Far below 2^31 ms, from where Node's timers fire at once. */
const INTERVAL_MAX_MS = 24 * HOUR_MS;

interface JobsOptions {
  readonly onError: (name: string, error: unknown) => void;
  /** From 0 to 1, for the jitter. */
  readonly random?: () => number;
}

export interface Jobs {
  /** Runs the task again and again, each time `intervalMs` ± 10 % after the run before has ended. */
  every(name: string, intervalMs: number, task: () => Promise<void>): void;
  /** Starts no further run and waits for those under way. */
  stop(): Promise<void>;
}

export function createJobs({ onError, random = Math.random }: JobsOptions): Jobs {
  const waiting = new Set<NodeJS.Timeout>();
  const underWay = new Set<Promise<void>>();
  let stopped = false;

  function runLater(name: string, intervalMs: number, task: () => Promise<void>): void {
    if (stopped) return;
    const delayMs = intervalMs * (1 + JITTER_SHARE * (2 * random() - 1));
    const timer = setTimeout(() => {
      waiting.delete(timer);
      const run = runOnce(name, task).finally(() => {
        underWay.delete(run);
        runLater(name, intervalMs, task);
      });
      underWay.add(run);
    }, delayMs);
    timer.unref();
    waiting.add(timer);
  }

  async function runOnce(name: string, task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      onError(name, error);
    }
  }

  return {
    every(name, intervalMs, task) {
      assert(intervalMs > 0 && intervalMs <= INTERVAL_MAX_MS, `${name} cannot run every ${intervalMs} ms`);
      runLater(name, intervalMs, task);
    },

    async stop() {
      stopped = true;
      for (const timer of waiting) clearTimeout(timer);
      waiting.clear();
      await Promise.allSettled(underWay);
    },
  };
}
