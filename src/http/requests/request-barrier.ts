/** Lets a request go on, or refuses it. */
export type Next = (error?: Error) => void;

/**
 * Holds requests back until the others that came with them have been read, or, with other processes on the same database,
 * until this one knows what they have committed. Then all go on one after the other: what is done for one request finds
 * the processor's caches as the one before left them, and whoever waits for the answers is woken once and not for each.
 */
export function createRequestBarrier(
  caughtUp: (() => Promise<void> | undefined) | undefined,
): (next: Next) => void {
  let waiting: Next[] = [];

  function take(): void {
    const all = waiting;
    waiting = [];
    for (const next of all) next();
  }

  return (next) => {
    const behind = caughtUp?.();
    if (behind) {
      behind.then(() => {
        next();
      }, next);
    } else if (waiting.push(next) === 1) {
      setImmediate(take);
    }
  };
}
