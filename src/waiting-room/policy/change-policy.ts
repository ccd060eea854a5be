import { noticeToJson } from '../../catalog/index.js';
import { FaultList } from '../../kernel/fault-list.js';
import { Refusal } from '../../kernel/refusal.js';
import type { Sql, Tx } from '../../platform/sql/index.js';
import {
  DEFAULT_POLICY,
  checkRate,
  isIdleShorter,
  isShowUpShorter,
  patchPolicy,
  type Policy,
  type PolicyPatch,
} from './policy.js';
import { policyChanged, queueOpened } from '../topics.js';
import { findQueue, listQueues, lockQueue, restartLimits, type QueueRow } from '../queries.js';
import { insertQueue, updatePolicy } from './queries.js';
import type { QueueProjection } from '../projection/queue-projection.js';
import { type Queues, toPolicy } from '../projection/queues.js';

const policyParams = (concertId: string, policy: Policy) =>
  [
    concertId,
    policy.maxActive,
    policy.admitCount,
    policy.admitEverySeconds,
    policy.activeSeconds,
    policy.idleSeconds,
    policy.showUpSeconds,
    policy.consumeOn,
    policy.holdSeconds,
    policy.maxSeatsPerUser,
    policy.paused ? 1 : 0,
    policy.closeWhenSoldOut ? 1 : 0,
    noticeToJson(policy.notice),
  ] satisfies unknown[];

function requireCompleteRate(policy: Policy): void {
  const faults = new FaultList();
  checkRate(policy, '', faults);
  faults.requireNone();
}

const samePolicy = (a: Policy, b: Policy): boolean => JSON.stringify(a) === JSON.stringify(b);

export interface PolicyChange {
  readonly before: Policy;
  readonly after: Policy;
}

/** Locks the queue, expires places by the old policy, then stores and publishes the new one. */
export const createChangePolicy =
  (expire: (tx: Tx, queue: QueueRow) => Promise<void>) =>
  async (tx: Tx, concertId: string, patch: PolicyPatch): Promise<PolicyChange> => {
    const queue = await tx.get(lockQueue, [concertId]);
    if (!queue) throw new Refusal('CONCERT_NOT_FOUND');
    const before = toPolicy(queue);
    const after = patchPolicy(before, patch);
    requireCompleteRate(after);
    await expire(tx, queue);
    await tx.exec(updatePolicy, policyParams(concertId, after));
    tx.execDeferred(restartLimits, [
      concertId,
      isIdleShorter(before, after) ? tx.nowMs : queue.idleFromMs,
      isShowUpShorter(before, after) ? tx.nowMs : queue.showUpFromMs,
    ]);
    tx.publish(policyChanged, { concertId, policy: after, atMs: tx.nowMs });
    return { before, after };
  };

/** Creates a concert's queue, in the transaction that adds the concert. */
async function openQueue(tx: Tx, concertId: string, closesAtMs: number, patch: PolicyPatch): Promise<void> {
  const policy = patchPolicy(DEFAULT_POLICY, patch);
  requireCompleteRate(policy);
  await tx.exec(insertQueue, [...policyParams(concertId, policy), closesAtMs]);
  tx.publish(queueOpened, { concertId, policy, closesAtMs });
}

export function createPolicies(deps: {
  readonly sql: Sql;
  readonly queues: Queues;
  readonly expireInTx: (tx: Tx, view: QueueProjection) => Promise<void>;
  readonly onError: (error: unknown, concertId: string) => void;
}) {
  const { sql, queues, expireInTx, onError } = deps;

  return {
    openQueue,

    /** Creates a concert's queue with the policy of another concert. */
    async copyQueue(tx: Tx, sourceId: string, concertId: string, closesAtMs: number): Promise<void> {
      const queue = await tx.get(findQueue, [sourceId]);
      if (!queue) throw new Refusal('CONCERT_NOT_FOUND');
      await openQueue(tx, concertId, closesAtMs, toPolicy(queue));
    },

    changePolicy: createChangePolicy(async (tx, { concertId }) => {
      const view = queues.find(concertId);
      if (view) await expireInTx(tx, view);
    }),

    /** Applies policies that the command line changed in the database. */
    async refresh(): Promise<void> {
      for (const row of await sql.reader.all(listQueues, [])) {
        const queue = queues.find(row.concertId);
        const policy = toPolicy(row);
        if (!queue || samePolicy(queue.policy, policy)) continue;
        try {
          await sql.transaction(async (tx) => {
            await expireInTx(tx, queue);
            tx.publish(policyChanged, { concertId: row.concertId, policy, atMs: tx.nowMs });
          });
        } catch (error) {
          // A queue that fails does not keep the others from their policies.
          onError(error, row.concertId);
        }
      }
    },
  };
}
