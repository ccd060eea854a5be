/**
 * What was sent together is waited for together: when one of them fails, the others are over, too, before anybody hears of
 * it. Nothing of them happens later, and of several faults the first in the list is told: on PostgreSQL the others only say
 * that the transaction has failed.
 */
export async function settleAll<T extends readonly unknown[]>(
  promises: readonly [...T],
): Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }> {
  await Promise.allSettled(promises);
  // All are over, so the first in the list is the first that this finds.
  return Promise.all(promises);
}
