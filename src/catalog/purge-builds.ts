import type { Sql } from '../platform/sql/index.js';
import { deleteSeatsOfAbandonedBuilds } from '../seating/index.js';
import { BUILD_MAX_MS } from './build-concert.js';
import { deleteAbandonedPosters } from './poster/queries.js';
import { abandonBuilds, deleteAbandonedConcerts, deleteAbandonedSchedules } from './queries.js';

/** Small, because a running sale waits for each transaction. */
const SEATS_PER_DELETE = 1000;

/**
 * Deletes concerts whose build a crash has interrupted. They are marked first: from then on nothing can complete them, and
 * no concert is ever visible without some of its seats.
 */
export async function purgeBuilds(sql: Sql): Promise<void> {
  const abandoned = await sql.transaction((tx) => tx.exec(abandonBuilds, [tx.nowMs - BUILD_MAX_MS]));
  if (abandoned === 0) return;
  const deleteSome = () => sql.transaction((tx) => tx.exec(deleteSeatsOfAbandonedBuilds, [SEATS_PER_DELETE]));
  while ((await deleteSome()) > 0);
  await sql.transaction(async (tx) => {
    await tx.exec(deleteAbandonedSchedules, []);
    await tx.exec(deleteAbandonedPosters, []);
    await tx.exec(deleteAbandonedConcerts, []);
  });
}
