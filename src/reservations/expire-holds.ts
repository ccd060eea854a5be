import { seatsChanged } from '../catalog/index.js';
import type { Sql } from '../platform/sql/index.js';
import type { HoldEvents } from './claim-seats.js';
import { holdsExpired } from './topics.js';
import { expireReservations, freeSeats, listExpiredReservations } from './queries.js';
import { seatsOf } from './reservation.js';

const EXPIRE_BATCH_MAX = 500;

/** Writes down what has run out. The seats were free from that instant; this only tidies up and tells. */
export const createExpireHolds =
  ({ sql, events }: { readonly sql: Sql; readonly events: HoldEvents }) =>
  async (): Promise<void> => {
    const due = await sql.reader.all(listExpiredReservations, [sql.nowMs(), EXPIRE_BATCH_MAX]);
    if (due.length === 0) return;
    await sql.transaction(async (tx) => {
      const ids = due.map(({ id }) => id);
      const ended = await tx.all(expireReservations, [ids, tx.nowMs]);
      if (ended.length === 0) return;
      // Only seats that still name the reservation: another fan may hold one of them by now.
      const seatIds = ended.flatMap((row) => seatsOf(row).map(({ id }) => id));
      const freed = await tx.all(freeSeats, [seatIds, ended.map(({ id }) => id)]);
      for (const scheduleId of new Set(freed.map((seat) => seat.scheduleId))) {
        const ids = freed.filter((seat) => seat.scheduleId === scheduleId).map(({ id }) => id);
        tx.publish(seatsChanged, { scheduleId, change: { seatIds: ids, status: 'AVAILABLE' } });
      }
      tx.publish(holdsExpired, ended);
      tx.afterCommit(() => {
        events.expired(ended.length);
      });
    });
  };
