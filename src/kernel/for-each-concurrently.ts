/**
 * Runs the work for every item, at most `limit` at a time, in the order of the items. Up to `limit - 1` items that
 * hang delay no other item. The work must handle its own errors: the first rejection rejects the whole call.
 */
export async function forEachConcurrently<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const run = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, run));
}
