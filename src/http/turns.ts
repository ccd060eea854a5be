/** Lets a request go on, or refuses it. */
export type GoOn = (error?: Error) => void;

/**
 * Holds requests back until the others that came with them have been read, or, with other processes on the same database,
 * until this one knows what they have committed. Then all go on one after the other: what is done for one request finds
 * the processor's caches as the one before left them, and whoever waits for the answers is woken once and not for each.
 */
export function createTurns(caughtUp: (() => Promise<void> | undefined) | undefined): (goOn: GoOn) => void {
  let waiting: GoOn[] = [];

  function take(): void {
    const all = waiting;
    waiting = [];
    for (const goOn of all) goOn();
  }

  return (goOn) => {
    const behind = caughtUp?.();
    if (behind) {
      behind.then(() => {
        goOn();
      }, goOn);
    } else if (waiting.push(goOn) === 1) {
      setImmediate(take);
    }
  };
}
