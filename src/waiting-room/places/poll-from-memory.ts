import type { Sql } from '../../platform/sql/index.js';
import type { QueueToken } from './queue-token-view.js';
import type { LastSeenTracker } from '../admission/last-seen.js';
import type { QueueTokens } from './queue-tokens.js';
import type { Queues } from '../projection/queues.js';

/** How a place stands, where memory can say so and nobody is to be let in first; undefined: ask the route. */
export const createPollFromMemory =
  (deps: {
    readonly sql: Sql;
    readonly queues: Queues;
    readonly tokens: QueueTokens;
    readonly keepSeen: LastSeenTracker;
    readonly describe: (claim: ReturnType<QueueTokens['issue']>) => QueueToken | Promise<QueueToken>;
  }) =>
  (token: string): QueueToken | undefined => {
    const { sql, queues, tokens, keepSeen, describe } = deps;
    const claim = tokens.read(token);
    const queue = claim && queues.find(claim.concertId);
    if (!queue) return undefined;
    const nowMs = sql.nowMs();
    if (queue.canAdmit(nowMs)) return undefined;
    const { status } = queue.stateOf(claim.placeId, claim.number, nowMs);
    if (status !== 'WAITING' && status !== 'ACTIVE') return undefined;
    keepSeen.touchUser(claim.userId, nowMs);
    const described = describe(claim);
    return described instanceof Promise ? undefined : described;
  };
