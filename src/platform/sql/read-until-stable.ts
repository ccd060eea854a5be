import type { Sql } from './port.js';

/** Repeats a read if the change feed had a gap while it ran: the result may miss the lost changes. */
export function createReadUntilStable(sql: Sql): <T>(read: () => Promise<T>) => Promise<T> {
  let gapCount = 0;
  sql.onFeedGap(() => void (gapCount += 1));
  return async (read) => {
    for (;;) {
      const gapCountBefore = gapCount;
      const value = await read();
      if (gapCount === gapCountBefore) return value;
    }
  };
}
