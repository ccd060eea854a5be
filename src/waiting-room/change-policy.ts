import { Refusal } from '../kernel/refusal.js';
import type { Sql, Tx } from '../platform/sql/index.js';
import { DEFAULT_POLICY, hasWholeRate, patchPolicy, type Policy, type PolicyPatch } from './policy.js';
import { policyChanged, roomOpened } from './changes.js';
import { insertRoom, listRooms, lockRoom, updatePolicy } from './queries.js';
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

export function createPolicies(deps: {
  readonly sql: Sql;
  readonly rooms: Rooms;
  /** What has run out stays gone: settled by the old policy before the new one counts. */
  readonly expireWithin: (tx: Tx, view: RoomView) => Promise<void>;
}) {
  const { sql, rooms, expireWithin } = deps;

  return {
    /** A new concert's room, in the transaction that adds the concert. */
    async openRoom(tx: Tx, concertId: string, patch: PolicyPatch): Promise<void> {
      const policy = patchPolicy(DEFAULT_POLICY, patch);
      requireWholeRate(policy);
      await tx.run(insertRoom, policyParams(concertId, policy));
      tx.announce(roomOpened, { concertId, policy });
    },

    async changePolicy(tx: Tx, concertId: string, patch: PolicyPatch): Promise<Policy> {
      const room = await tx.get(lockRoom, [concertId]);
      if (!room) throw new Refusal('CONCERT_NOT_FOUND');
      const policy = patchPolicy(toPolicy(room), patch);
      requireWholeRate(policy);
      const view = rooms.find(concertId);
      if (view) await expireWithin(tx, view);
      await tx.run(updatePolicy, policyParams(concertId, policy));
      tx.announce(policyChanged, { concertId, policy });
      return policy;
    },

    /** Takes over what another process (the command line) has changed. */
    async refresh(): Promise<void> {
      for (const row of await sql.reader.all(listRooms, [])) {
        const room = rooms.find(row.concertId);
        const policy = toPolicy(row);
        if (!room || samePolicy(room.policy, policy)) continue;
        await sql.transaction(async (tx) => {
          await expireWithin(tx, room);
          tx.announce(policyChanged, { concertId: row.concertId, policy });
        });
      }
    },
  };
}
