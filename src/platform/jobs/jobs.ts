import { assert } from '../../kernel/assert.js';
import { HOUR_MS } from '../../kernel/time.js';
import { waitAtMost } from '../../kernel/wait-at-most.js';

/**
 * Runs background tasks on timers. Unless it is started with `everyOverlapping`, a task never overlaps itself: its next
 * interval starts when its run has ended. A failed run is reported and does not stop the task. Correctness must never
 * depend on a job having run.
 */

/** Keeps processes that started at the same time from using the database at the same time. */
const JITTER_SHARE = 0.1;
/** Between two batches of work that is not finished: lets requests use the database in between. */
const NEXT_BATCH_MS = 10;
/** Far below 2^31 ms, above which Node's timers fire immediately. */
const INTERVAL_MAX_MS = 24 * HOUR_MS;

interface JobsOptions {
  readonly onError: (name: string, error: unknown) => void;
  /** Source of the jitter: a number from 0 to 1. */
  readonly random?: () => number;
}

type JobTask = () => Promise<unknown>;

interface Job {
  readonly name: string;
  readonly intervalMs: number;
  readonly task: JobTask;
  readonly mayOverlap: boolean;
}

export interface Jobs {
  /**
   * Runs the task `intervalMs` ± 10 % from now, and again that long after each run has ended. A task that works in bounded
   * batches returns true if more is left; then it runs again almost immediately, so it keeps up with any rate.
   */
  every(name: string, intervalMs: number, task: JobTask): void;
  /**
   * The same for a task that works on several items and skips those that an earlier run still works on: a run that takes
   * longer than the interval, because one item is stuck, does not delay the next run for the others.
   */
  everyOverlapping(name: string, intervalMs: number, task: JobTask): void;
  /** Starts no further run and waits for the current ones. */
  stop(): Promise<void>;
}

export function createJobs({ onError, random = Math.random }: JobsOptions): Jobs {
  const timers = new Set<NodeJS.Timeout>();
  const runs = new Set<Promise<boolean>>();
  let isStopped = false;

  function schedule(job: Job, hasMore = false): void {
    if (isStopped) return;
    const { intervalMs, mayOverlap } = job;
    const delayMs = hasMore ? NEXT_BATCH_MS : intervalMs * (1 + JITTER_SHARE * (2 * random() - 1));
    const timer = setTimeout(() => {
      timers.delete(timer);
      const run = runOnce(job);
      runs.add(run);
      void run.then(() => runs.delete(run));
      const waited = mayOverlap ? waitAtMost(intervalMs, run).then(() => false) : run;
      void waited.then((isMoreLeft) => {
        schedule(job, isMoreLeft);
      });
    }, delayMs);
    timer.unref();
    timers.add(timer);
  }

  /** Returns whether more is left. After a failure the next run waits for its interval. */
  async function runOnce({ name, task }: Job): Promise<boolean> {
    try {
      return (await task()) === true;
    } catch (error) {
      onError(name, error);
      return false;
    }
  }

  function start(job: Job): void {
    const { name, intervalMs } = job;
    assert(
      intervalMs > 0 && intervalMs <= INTERVAL_MAX_MS,
      `job ${name} has an invalid interval: ${intervalMs} ms`,
    );
    schedule(job);
  }

  return {
    every(name, intervalMs, task) {
      start({ name, intervalMs, task, mayOverlap: false });
    },
    everyOverlapping(name, intervalMs, task) {
      start({ name, intervalMs, task, mayOverlap: true });
    },

    async stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
      await Promise.allSettled(runs);
    },
  };
}
