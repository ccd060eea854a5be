import type { Sql } from '../platform/sql/index.js';
import type { QueueToken } from './describe.js';
import type { KeepSeen } from './keep-seen.js';
import type { QueueTokens } from './queue-tokens.js';
import type { Rooms } from './rooms.js';

/** How a place stands, where memory can say so and nobody is to be let in first; undefined: ask the route. */
export const createPollAtOnce =
  (deps: {
    readonly sql: Sql;
    readonly rooms: Rooms;
    readonly tokens: QueueTokens;
    readonly keepSeen: KeepSeen;
    readonly describe: (claim: ReturnType<QueueTokens['issue']>) => QueueToken | Promise<QueueToken>;
  }) =>
  (token: string): QueueToken | undefined => {
    const { sql, rooms, tokens, keepSeen, describe } = deps;
    const claim = tokens.read(token);
    const room = claim && rooms.find(claim.concertId);
    if (!room) return undefined;
    const nowMs = sql.nowMs();
    if (room.couldLetIn(nowMs)) return undefined;
    const { status } = room.standing(claim.placeId, claim.number, nowMs);
    if (status !== 'WAITING' && status !== 'ACTIVE') return undefined;
    keepSeen.touchUser(claim.userId, nowMs);
    const described = describe(claim);
    return described instanceof Promise ? undefined : described;
  };
