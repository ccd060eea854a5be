import { Refusal } from '../../kernel/refusal.js';
import type { Sql } from '../../platform/sql/index.js';
import { createChangePolicy } from './change-policy.js';
import { createExpiry } from '../admission/expire-places.js';
import { type Policy, type PolicyPatch, PolicyPatchSchema } from './policy.js';
import { findQueue } from '../queries.js';
import { QueueProjection } from '../projection/queue-projection.js';
import { toPolicy, toProgress } from '../projection/queues.js';

/** Undefined unless every member is a policy field within its limits. */
export async function parsePolicyPatch(patch: unknown): Promise<PolicyPatch | undefined> {
  // Loaded on demand: a server does not need it, and starts 10 % faster without it.
  const { Value } = await import('typebox/value');
  return Value.Check(PolicyPatchSchema, patch) ? patch : undefined;
}

/** Reads and changes a policy without a running server, for the command line. */
export const offlinePolicy = (sql: Sql) => {
  const { expireInTx } = createExpiry({ ended: () => undefined });
  return {
    async show(concertId: string): Promise<Policy> {
      const queue = await sql.reader.get(findQueue, [concertId]);
      if (!queue) throw new Refusal('CONCERT_NOT_FOUND');
      return toPolicy(queue);
    },
    changePolicy: createChangePolicy(async (tx, queue) => {
      // With SQLite, the running server knows the latest requests and expires places when it applies the change.
      if (!sql.isClustered) return;
      const view = new QueueProjection(queue.concertId, toPolicy(queue), toProgress(queue), queue);
      await expireInTx(tx, view);
    }),
  };
};
