import { saleState, type Programme } from '../catalog/index.js';
import { present } from '../kernel/assert.js';
import { guard } from '../kernel/guard.js';
import { SECOND_MS } from '../kernel/time.js';
import { together } from '../kernel/together.js';
import type { Sql, Tx } from '../platform/sql/index.js';
import { placesAdmitted } from './changes.js';
import { createExpiry, idleSinceMs, type PlaceEvents } from './expire.js';
import { keepSeenOf } from './keep-seen.js';
import {
  admitNext,
  countActive,
  countAdmittedSince,
  lockRoom,
  type RoomRow,
  setAdmittedThrough,
} from './queries.js';
import type { RoomView } from './room-view.js';
import type { Rooms } from './rooms.js';

/** People let in by one transaction: more are let in by the next, so that nobody else waits long. */
const ADMIT_BATCH_MAX = 1000;
/** A sale that is over may be prolonged: looked at again this often, not at every poll. */
const CLOSED_SALE_RECHECK_MS = 1000;

export interface Admission {
  /** Expires what has run out and lets in whom the policy allows; any caller, any time, the same result. */
  admit(concertId: string): Promise<void>;
  /** The same inside a transaction that already holds the room's row; answers how many were let in. */
  admitWithin(tx: Tx, view: RoomView, room: RoomRow): Promise<number>;
  /** Marks all that has run out as EXPIRED, by the policy as it is. */
  expireWithin(tx: Tx, view: RoomView): Promise<void>;
}

export function createAdmission(deps: {
  readonly sql: Sql;
  readonly rooms: Rooms;
  readonly programme: Programme;
  readonly events: PlaceEvents;
}): Admission {
  const { sql, rooms, programme, events } = deps;
  const { expireBatch, expireWithin } = createExpiry(events);
  /** Asked for and not begun: whoever asks again meanwhile shares it. */
  const awaited = new Map<string, Promise<void>>();

  async function admitWithin(tx: Tx, view: RoomView, room: RoomRow): Promise<number> {
    const { concertId, admittedThrough, activeSeconds } = room;
    const nowMs = timeIn(room, tx.nowMs);
    keepSeenOf(tx, view);
    // Sent together: while the line is locked, every answer that is waited for keeps others from it.
    const [, count] = await together([expireBatch(tx, view), vacancies(tx, view, room)]);
    if (count <= 0) return 0;
    const expiresAtMs = nowMs + activeSeconds * SECOND_MS;
    const rows = await tx.all(admitNext, [concertId, admittedThrough, count, nowMs, expiresAtMs]);
    if (rows.length === 0) return 0;
    const places = rows
      .map(({ id, userId, number, joinedAtMs }) => ({
        placeId: id,
        userId,
        number,
        joinedAtMs,
        activatedAtMs: nowMs,
        expiresAtMs,
      }))
      .sort((a, b) => a.number - b.number);
    const { number } = present(places.at(-1), 'somebody was admitted');
    tx.write(setAdmittedThrough, [concertId, number, nowMs, places.length]);
    tx.announce(placesAdmitted, { concertId, places });
    tx.afterCommit(() => {
      events.admitted(places.length);
    });
    return places.length;
  }

  async function admitOnce(concertId: string): Promise<boolean> {
    const view = rooms.of(concertId);
    const { salesOpenAtMs, salesCloseAtMs } = await programme.concert(concertId);
    const work = sql.transaction(async (tx) => {
      awaited.delete(concertId);
      const room = present(
        await tx.get(guard('admission-lock', lockRoom), [concertId]),
        'a room without a row',
      );
      if (saleState({ salesOpenAtMs, salesCloseAtMs }, tx.nowMs) !== 'CLOSED')
        return admitWithin(tx, view, room);
      // Nobody is let into a sale that is over: there is nothing left to do inside.
      await expireWithin(tx, view);
      tx.afterCommit(() => {
        view.closeUntil(tx.nowMs + CLOSED_SALE_RECHECK_MS);
      });
      return 0;
    }, concertId);
    return (await work) === ADMIT_BATCH_MAX;
  }

  return {
    admitWithin,
    expireWithin,
    admit(concertId) {
      const shared = awaited.get(concertId);
      if (shared) return shared;
      const run = (async () => {
        while (await admitOnce(concertId));
        // It may have waited for another process that let in the same people.
        await sql.caughtUp();
      })().finally(() => {
        if (awaited.get(concertId) === run) awaited.delete(concertId);
      });
      awaited.set(concertId, run);
      return run;
    },
  };
}

/** A line's own time never goes back, though the clocks of those who move it may differ by a little. */
const timeIn = ({ movedAtMs }: RoomRow, nowMs: number): number => Math.max(movedAtMs, nowMs);

/** How many may be let in now: as many as are missing to `maxActive`, and not more than the period's portion. */
async function vacancies(tx: Tx, view: RoomView, room: RoomRow): Promise<number> {
  const { concertId, maxActive, admitCount, admitEverySeconds, paused } = room;
  if (paused === 1) return 0;
  let count = ADMIT_BATCH_MAX;
  if (maxActive !== null) {
    const active = await tx.get(countActive, [concertId, tx.nowMs, idleSinceMs(view, tx.nowMs)]);
    count = Math.min(count, maxActive - present(active, 'a count').count);
  }
  if (count > 0 && admitCount !== null && admitEverySeconds !== null) {
    // Any stretch of this length, not a calendar of them: two portions can never meet at a boundary.
    const everyMs = admitEverySeconds * SECOND_MS;
    const lately = present(await tx.get(countAdmittedSince, [concertId, tx.nowMs - everyMs]), 'a count');
    count = Math.min(count, admitCount - lately.count);
    const freeAtMs = (lately.oldestMs ?? tx.nowMs) + everyMs;
    if (count <= 0) {
      tx.afterCommit(() => {
        view.closeUntil(freeAtMs);
      });
    }
  }
  return count;
}
