import type { PlaceClaim } from '../../kernel/caller.js';
import type { Sql } from '../../platform/sql/index.js';
import type { Admission } from '../admission/admit.js';
import type { Queues } from '../projection/queues.js';
import type { QueueToken } from './queue-token-view.js';

export interface Poll {
  /** The state of a place. Admits first when a slot is free for somebody who waits. */
  poll(claim: PlaceClaim): QueueToken | Promise<QueueToken>;
  /** Whether `poll` answers from memory alone, without the database and without a refusal. */
  isFromMemory(claim: PlaceClaim): boolean;
}

export function createPoll(deps: {
  readonly sql: Sql;
  readonly queues: Queues;
  readonly admission: Admission;
  readonly viewQueueToken: (claim: PlaceClaim) => QueueToken | Promise<QueueToken>;
}): Poll {
  const { sql, queues, admission, viewQueueToken } = deps;
  return {
    poll(claim) {
      if (!queues.find(claim.concertId)?.canAdmit(sql.nowMs())) return viewQueueToken(claim);
      return admission.admit(claim.concertId).then(() => viewQueueToken(claim));
    },

    isFromMemory({ concertId, placeId, number }) {
      const queue = queues.find(concertId);
      const nowMs = sql.nowMs();
      if (!queue || queue.canAdmit(nowMs)) return false;
      const { status } = queue.stateOf(placeId, number, nowMs);
      return status === 'WAITING' || status === 'ACTIVE';
    },
  };
}
