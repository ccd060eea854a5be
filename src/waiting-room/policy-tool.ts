import { Refusal } from '../kernel/refusal.js';
import type { Sql } from '../platform/sql/index.js';
import { createChangePolicy } from './change-policy.js';
import { createExpiry } from './expire.js';
import { type Policy, type PolicyPatch, PolicyPatchSchema } from './policy.js';
import { findRoom } from './queries.js';
import { RoomView } from './room-view.js';
import { toPolicy } from './rooms.js';

/** Undefined unless every member is one of a policy's and within its limits. */
export async function parsePolicyPatch(patch: unknown): Promise<PolicyPatch | undefined> {
  // Loaded when the command line asks: a server starts a tenth sooner without.
  const { Value } = await import('typebox/value');
  return Value.Check(PolicyPatchSchema, patch) ? patch : undefined;
}

/** The policy from outside a server: what the command line needs, without opening the room. */
export const policyTool = (sql: Sql) => {
  const { expireWithin } = createExpiry({ ended: () => undefined });
  return {
    async show(concertId: string): Promise<Policy> {
      const room = await sql.reader.get(findRoom, [concertId]);
      if (!room) throw new Refusal('CONCERT_NOT_FOUND');
      return toPolicy(room);
    },
    changePolicy: createChangePolicy(async (tx, room) => {
      // Beside SQLite, the server that runs the room has the latest signs of life, and settles when it takes the change over.
      if (!sql.isShared) return;
      const { concertId, lastNumber, admittedThrough } = room;
      await expireWithin(tx, new RoomView(concertId, toPolicy(room), lastNumber, admittedThrough));
    }),
  };
};
