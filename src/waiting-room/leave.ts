import type { PlaceClaim } from '../kernel/caller.js';
import type { Sql } from '../platform/sql/index.js';
import { leaveActive, leaveWaiting } from './queries.js';
import type { Rooms } from './rooms.js';

/** Gives a place up for good. Leaving again, or leaving what has ended, changes nothing. */
export const createLeave =
  (deps: { readonly sql: Sql; readonly rooms: Rooms; readonly onLeft: (claim: PlaceClaim) => void }) =>
  async (claim: PlaceClaim): Promise<void> => {
    const { sql, rooms, onLeft } = deps;
    const room = rooms.find(claim.concertId);
    if (!room) return;
    // What has run out is over already, whoever has noticed.
    if (room.standing(claim.placeId, claim.number, sql.nowMs()).status === 'EXPIRED') return;
    await sql.transaction(async (tx) => {
      const waiting = await tx.get(leaveWaiting, [claim.placeId, tx.nowMs]);
      const active = waiting ? undefined : await tx.get(leaveActive, [claim.placeId, tx.nowMs]);
      tx.afterCommit(() => {
        if (waiting) room.leftWaiting(waiting.number);
        if (active) rooms.ended(room, active.number);
        if (waiting ?? active) onLeft(claim);
      });
    });
  };
