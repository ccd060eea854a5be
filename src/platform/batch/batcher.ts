import { setImmediate as nextLoopIteration } from 'node:timers/promises';
import { assertDefined } from '../../kernel/assert.js';

interface Call<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

interface Calls<Item, Result> {
  readonly waiting: Call<Item, Result>[];
  running: number;
}

/**
 * Runs calls in batches, at most `concurrentMax` batches per key at a time. Calls that arrive while so many are running form the
 * next one; there is no timer. An error in a result fails that call alone, an error of `run` fails the batch.
 */
export function createBatcher<Item, Result>(deps: {
  /** Returns one result per item, in the order of the items. */
  readonly run: (key: string, items: readonly Item[]) => Promise<readonly (Result | Error)[]>;
  readonly batchSize: (waitingCalls: number) => number;
  readonly concurrentMax: number;
  /** Whether an error that failed a batch would also fail the calls that wait for the next batch. */
  readonly failsEveryCall: (error: unknown) => boolean;
}): (key: string, item: Item) => Promise<Result> {
  const { run, batchSize, concurrentMax, failsEveryCall } = deps;
  const callsByKey = new Map<string, Calls<Item, Result>>();

  async function runBatches(key: string, calls: Calls<Item, Result>): Promise<void> {
    calls.running += 1;
    // Requests read from their sockets in this iteration of the event loop share the first batch.
    await nextLoopIteration();
    while (calls.waiting.length > 0) await runBatch(key, calls.waiting);
    calls.running -= 1;
    if (calls.running === 0) callsByKey.delete(key);
  }

  async function runBatch(key: string, waiting: Call<Item, Result>[]): Promise<void> {
    const batch = waiting.splice(0, batchSize(waiting.length));
    try {
      const results = await run(
        key,
        batch.map(({ item }) => item),
      );
      batch.forEach(({ resolve, reject }, index) => {
        const result = assertDefined(results[index], 'a batch returned fewer results than items');
        if (result instanceof Error) reject(result);
        else resolve(result);
      });
    } catch (error) {
      const failed = failsEveryCall(error) ? [...batch, ...waiting.splice(0)] : batch;
      for (const { reject } of failed) reject(error);
    }
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      const calls = callsByKey.get(key) ?? { waiting: [], running: 0 };
      callsByKey.set(key, calls);
      calls.waiting.push({ item, resolve, reject });
      if (calls.running < concurrentMax) void runBatches(key, calls);
    });
}
