import { Refusal } from '../../kernel/refusal.js';
import type { Sql } from '../../platform/sql/index.js';
import { createChangePolicy } from './change-policy.js';
import { createExpiry } from '../admission/expire-places.js';
import { type Policy, type PolicyPatch, PolicyPatchSchema } from './policy.js';
import { findQueue } from '../queries.js';
import { QueueProjection } from '../projection/queue-projection.js';
import { toPolicy } from '../projection/queues.js';

/** Undefined unless every member is one of a policy's and within its limits. */
export async function parsePolicyPatch(patch: unknown): Promise<PolicyPatch | undefined> {
  // Loaded when the command line asks: a server starts a tenth sooner without.
  const { Value } = await import('typebox/value');
  return Value.Check(PolicyPatchSchema, patch) ? patch : undefined;
}

/** The policy from outside a server: what the command line needs, without opening the room. */
export const offlinePolicy = (sql: Sql) => {
  const { expireInTx } = createExpiry({ ended: () => undefined });
  return {
    async show(concertId: string): Promise<Policy> {
      const queue = await sql.reader.get(findQueue, [concertId]);
      if (!queue) throw new Refusal('CONCERT_NOT_FOUND');
      return toPolicy(queue);
    },
    changePolicy: createChangePolicy(async (tx, queue) => {
      // Beside SQLite, the server that runs the room has the latest signs of life, and settles when it takes the change over.
      if (!sql.isClustered) return;
      const { concertId, lastNumber, admittedThrough } = queue;
      await expireInTx(tx, new QueueProjection(concertId, toPolicy(queue), lastNumber, admittedThrough));
    }),
  };
};
