/** Wraps work so that a call for a key whose work is still running does nothing. */
export function skipRunning(work: (key: string) => Promise<void>): (key: string) => Promise<void> {
  const running = new Set<string>();
  return async (key) => {
    if (running.has(key)) return;
    running.add(key);
    try {
      await work(key);
    } finally {
      running.delete(key);
    }
  };
}
