import { Compile } from 'typebox/compile';
import { Refusal } from '../kernel/refusal.js';
import type { Sql } from '../platform/sql/index.js';
import { createPolicies } from './change-policy.js';
import { type Policy, type PolicyPatch, PolicyPatchSchema } from './policy.js';
import { findRoom } from './queries.js';
import { createRooms, toPolicy } from './rooms.js';

const patchValidator = Compile(PolicyPatchSchema);

/** Undefined unless every member is one of a policy's and within its limits. */
export const parsePolicyPatch = (patch: unknown): PolicyPatch | undefined =>
  patchValidator.Check(patch) ? patch : undefined;

/** The policy from outside a server: what the command line needs, without opening the room. */
export const policyTool = (sql: Sql) => {
  const policies = createPolicies({
    sql,
    rooms: createRooms(sql),
    // The server that runs the room settles what has run out when it takes the change over.
    expireWithin: () => Promise.resolve(),
  });
  return {
    async show(concertId: string): Promise<Policy> {
      const room = await sql.reader.get(findRoom, [concertId]);
      if (!room) throw new Refusal('CONCERT_NOT_FOUND');
      return toPolicy(room);
    },
    set: (concertId: string, patch: PolicyPatch): Promise<Policy> =>
      sql.transaction((tx) => policies.changePolicy(tx, concertId, patch)),
  };
};
