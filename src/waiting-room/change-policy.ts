import { Refusal } from '../kernel/refusal.js';
import type { Sql, Tx } from '../platform/sql/index.js';
import {
  DEFAULT_POLICY,
  hasWholeRate,
  isIdleShorter,
  patchPolicy,
  type Policy,
  type PolicyPatch,
} from './policy.js';
import { policyChanged, roomOpened } from './changes.js';
import { idleSinceMs } from './expire.js';
import {
  findRoom,
  idleAnew,
  insertRoom,
  listRooms,
  lockRoom,
  type RoomRow,
  updatePolicy,
} from './queries.js';
import type { RoomView } from './room-view.js';
import { type Rooms, toPolicy } from './rooms.js';

const policyParams = (concertId: string, policy: Policy) =>
  [
    concertId,
    policy.maxActive,
    policy.admitCount,
    policy.admitEverySeconds,
    policy.activeSeconds,
    policy.idleSeconds,
    policy.consumeOn,
    policy.holdSeconds,
    policy.maxSeatsPerUser,
    policy.paused ? 1 : 0,
  ] satisfies unknown[];

function requireWholeRate(policy: Policy): void {
  if (!hasWholeRate(policy)) throw new Refusal('INVALID_REQUEST', { field: 'admitCount, admitEverySeconds' });
}

const samePolicy = (a: Policy, b: Policy): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A policy as it was and as it is from now on. */
export interface PolicyChange {
  readonly before: Policy;
  readonly after: Policy;
}

/**
 * The change alone: locks the room, settles what has run out by the old policy (it stays gone), and announces the new one.
 */
export const createChangePolicy =
  (expire: (tx: Tx, room: RoomRow) => Promise<void>) =>
  async (tx: Tx, concertId: string, patch: PolicyPatch): Promise<PolicyChange> => {
    const room = await tx.get(lockRoom, [concertId]);
    if (!room) throw new Refusal('CONCERT_NOT_FOUND');
    const before = toPolicy(room);
    const after = patchPolicy(before, patch);
    requireWholeRate(after);
    await expire(tx, room);
    await tx.run(updatePolicy, policyParams(concertId, after));
    // A process that starts later must not find people idle who had other rules.
    if (isIdleShorter(before, after))
      tx.write(idleAnew, [concertId, tx.nowMs, idleSinceMs({ policy: before }, tx.nowMs)]);
    tx.announce(policyChanged, { concertId, policy: after, atMs: tx.nowMs });
    return { before, after };
  };

/** A new concert's room, in the transaction that adds the concert. */
async function openRoom(tx: Tx, concertId: string, patch: PolicyPatch): Promise<void> {
  const policy = patchPolicy(DEFAULT_POLICY, patch);
  requireWholeRate(policy);
  await tx.run(insertRoom, policyParams(concertId, policy));
  tx.announce(roomOpened, { concertId, policy });
}

export function createPolicies(deps: {
  readonly sql: Sql;
  readonly rooms: Rooms;
  readonly expireWithin: (tx: Tx, view: RoomView) => Promise<void>;
}) {
  const { sql, rooms, expireWithin } = deps;

  return {
    openRoom,

    /** Another concert's room, run as this one is. */
    async copyRoom(tx: Tx, sourceId: string, concertId: string): Promise<void> {
      const room = await tx.get(findRoom, [sourceId]);
      if (!room) throw new Refusal('CONCERT_NOT_FOUND');
      await openRoom(tx, concertId, toPolicy(room));
    },

    changePolicy: createChangePolicy(async (tx, { concertId }) => {
      const view = rooms.find(concertId);
      if (view) await expireWithin(tx, view);
    }),

    /** Takes over what another process (the command line) has changed. */
    async refresh(): Promise<void> {
      for (const row of await sql.reader.all(listRooms, [])) {
        const room = rooms.find(row.concertId);
        const policy = toPolicy(row);
        if (!room || samePolicy(room.policy, policy)) continue;
        await sql.transaction(async (tx) => {
          await expireWithin(tx, room);
          tx.announce(policyChanged, { concertId: row.concertId, policy, atMs: tx.nowMs });
        });
      }
    },
  };
}
