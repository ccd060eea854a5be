import { present } from '../kernel/assert.js';
import { newId } from '../kernel/id.js';
import type { Tx } from '../platform/sql/index.js';
import { timeIn } from './admit.js';
import { lineGrew } from './changes.js';
import { insertPlaces, lockRoom, setLastNumber } from './queries.js';

/**
 * Puts people at the end of a line in bulk, for load tests: none of them may have a live place in it. Nobody is let in
 * here; whoever serves the sale does that.
 */
export async function lineUp(tx: Tx, concertId: string, userIds: readonly string[]): Promise<void> {
  const room = present(await tx.get(lockRoom, [concertId]), 'a room without a row');
  const nowMs = timeIn(room, tx.nowMs);
  const places = userIds.map((userId, index) => ({
    id: newId(),
    user_id: userId,
    number: room.lastNumber + index + 1,
  }));
  const lastNumber = room.lastNumber + places.length;
  await tx.run(insertPlaces, [concertId, nowMs, places]);
  await tx.run(setLastNumber, [concertId, lastNumber, nowMs]);
  tx.announce(lineGrew, { concertId, lastNumber });
}
