import type { Sql } from './port.js';

/** Reads again what was being read while changes were missed for good: it may lack them. */
export function createReadUntilStable(sql: Sql): <T>(read: () => Promise<T>) => Promise<T> {
  let losses = 0;
  sql.onFeedGap(() => {
    losses += 1;
    return Promise.resolve();
  });
  return async (read) => {
    for (;;) {
      const lossesBefore = losses;
      const value = await read();
      if (losses === lossesBefore) return value;
    }
  };
}
