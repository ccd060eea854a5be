import type { PlaceClaim } from '../../kernel/caller.js';
import type { Sql } from '../../platform/sql/index.js';
import type { Admission } from '../admission/admit.js';
import type { LastSeenTracker } from '../admission/last-seen.js';
import type { Queues } from '../projection/queues.js';
import type { QueueToken } from './queue-token-view.js';
import type { QueueTokens } from './queue-tokens.js';

export interface Poll {
  /** The state of a place. If a fan waits and a slot is free, admits first. */
  poll(claim: PlaceClaim): QueueToken | Promise<QueueToken>;
  /** The same for a queue token, from memory. Undefined if it needs the database, an admission or a refusal. */
  pollFromMemory(token: string): QueueToken | undefined;
}

export function createPoll(deps: {
  readonly sql: Sql;
  readonly queues: Queues;
  readonly admission: Admission;
  readonly tokens: QueueTokens;
  readonly lastSeen: Pick<LastSeenTracker, 'touchUser'>;
  readonly viewQueueToken: (claim: PlaceClaim) => QueueToken | Promise<QueueToken>;
}): Poll {
  const { sql, queues, admission, tokens, lastSeen, viewQueueToken } = deps;

  const poll: Poll['poll'] = (claim) => {
    if (!queues.find(claim.concertId)?.canAdmit(sql.nowMs())) return viewQueueToken(claim);
    return admission.admit(claim.concertId).then(() => viewQueueToken(claim));
  };

  function isInMemory({ concertId, placeId, number }: PlaceClaim, nowMs: number): boolean {
    const queue = queues.find(concertId);
    if (!queue || queue.canAdmit(nowMs)) return false;
    const { status } = queue.stateOf(placeId, number, nowMs);
    return status === 'WAITING' || status === 'ACTIVE';
  }

  return {
    poll,
    pollFromMemory(token) {
      const claim = tokens.read(token);
      const nowMs = sql.nowMs();
      if (!claim || !isInMemory(claim, nowMs)) return undefined;
      lastSeen.touchUser(claim.userId, nowMs);
      // Not `poll`: the clock has moved on, and an admission that starts now would have no caller.
      const view = viewQueueToken(claim);
      return view instanceof Promise ? undefined : view;
    },
  };
}
