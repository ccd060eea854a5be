import { setImmediate as nextLoopIteration } from 'node:timers/promises';
import { assertDefined } from '../../kernel/assert.js';

interface Call<Result> {
  readonly item: string;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs calls in batches, one batch per key at a time. Calls that arrive while a batch is running form the next one; there
 * is no timer. An error in a result fails that call alone, an error of `run` fails the batch.
 */
export function createBatcher<Result>(deps: {
  /** Returns one result per item, in the order of the items. */
  readonly run: (key: string, items: readonly string[]) => Promise<readonly (Result | Error)[]>;
  readonly batchSize: (waitingCalls: number) => number;
  /** Whether an error that failed a batch would also fail the calls that wait for the next batch. */
  readonly failsEveryCall: (error: unknown) => boolean;
}): (key: string, item: string) => Promise<Result> {
  const { run, batchSize, failsEveryCall } = deps;
  const waiting = new Map<string, Call<Result>[]>();

  async function runBatches(key: string, calls: Call<Result>[]): Promise<void> {
    // Requests read from their sockets in this iteration of the event loop share the first batch.
    await nextLoopIteration();
    while (calls.length > 0) await runBatch(key, calls);
    waiting.delete(key);
  }

  async function runBatch(key: string, calls: Call<Result>[]): Promise<void> {
    const batch = calls.splice(0, batchSize(calls.length));
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
      const failed = failsEveryCall(error) ? [...batch, ...calls.splice(0)] : batch;
      for (const { reject } of failed) reject(error);
    }
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      const call = { item, resolve, reject };
      const calls = waiting.get(key);
      if (calls) {
        calls.push(call);
        return;
      }
      const first = [call];
      waiting.set(key, first);
      void runBatches(key, first);
    });
}
