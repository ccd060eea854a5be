/**
 * The request barrier: every API request passes it once, after authentication and before its handler.
 *
 * With one process it collects the requests that were read in the same event-loop iteration and then runs them in one batch,
 * in order of arrival. That is faster than handling each request as it is read: CPU caches stay warm, and the responses
 * reach the clients' event loops in one batch.
 *
 * With several processes on one database it gives read-your-writes across processes: a request continues only after this
 * process has applied everything that any process had committed when the request arrived. If that fails, the request is
 * refused with the error; it must never be answered from outdated memory.
 */

/** Continues a request, or refuses it with `error`. */
export type Next = (error?: Error) => void;

export function createRequestBarrier(
  /** Returns undefined if this process is up to date. */
  waitForChanges: (() => Promise<void> | undefined) | undefined,
): (next: Next) => void {
  let batch: Next[] = [];

  function runBatch(): void {
    const current = batch;
    batch = [];
    for (const next of current) next();
  }

  return (next) => {
    const changes = waitForChanges?.();
    if (changes) {
      changes.then(() => {
        next();
      }, next);
    } else if (batch.push(next) === 1) {
      setImmediate(runBatch);
    }
  };
}
