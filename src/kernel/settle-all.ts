/**
 * Like `Promise.all`, but it rejects only after all promises have settled, and with the first error in list order. So
 * no statement of a pipeline is still running when the caller handles the error, and on PostgreSQL the first error is
 * the real one; later ones only say that the transaction has failed.
 */
export async function settleAll<T extends readonly unknown[]>(
  promises: readonly [...T],
): Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
