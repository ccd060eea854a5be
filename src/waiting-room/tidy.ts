import { HOUR_MS } from '../kernel/time.js';
import type { Sql } from '../platform/sql/index.js';
import type { Admission } from './admit.js';
import { countForgotten, forgetEnded, lockRoom } from './queries.js';
import type { Rooms } from './rooms.js';

/** How long an ended place can still be asked about. */
const REMEMBER_ENDED_MS = 2 * HOUR_MS;
const FORGET_BATCH_MAX = 1000;

export function createTidy(deps: {
  readonly sql: Sql;
  readonly rooms: Rooms;
  readonly admission: Admission;
}) {
  const { sql, rooms, admission } = deps;

  return {
    /** Lets in and expires where something is due; rooms where nothing is cost nothing. */
    async moveLines(): Promise<void> {
      for (const room of rooms.all()) {
        const nowMs = sql.nowMs();
        if (room.hasRunOut(nowMs) || room.couldLetIn(nowMs)) await admission.admit(room.concertId);
      }
    },

    /** Deletes places that ended long ago, keeping their count. */
    async forgetEnded(): Promise<void> {
      for (const { concertId } of rooms.all()) {
        await sql.transaction(async (tx) => {
          const room = await tx.get(lockRoom, [concertId]);
          if (!room) return;
          // A number further back than the line has been admitted still counts for the ranks behind it.
          const before = tx.nowMs - REMEMBER_ENDED_MS;
          const gone = await tx.all(forgetEnded, [concertId, before, room.admittedThrough, FORGET_BATCH_MAX]);
          if (gone.length === 0) return;
          const count = (status: string): number => gone.filter((place) => place.status === status).length;
          await tx.run(countForgotten, [concertId, count('DONE'), count('EXPIRED'), count('LEFT')]);
        }, concertId);
      }
    },
  };
}
