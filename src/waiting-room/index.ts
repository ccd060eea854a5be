import type { Programme } from '../catalog/index.js';
import type { Jwt } from '../platform/jwt/index.js';
import type { Reader, Sql } from '../platform/sql/index.js';
import type { StreamHub } from '../platform/sse/index.js';
import { createAdmission } from './admit.js';
import { createPolicies } from './change-policy.js';
import { placesAdmitted, placesEnded, policyChanged, waitingLeft } from './changes.js';
import { createCrowds } from './crowds.js';
import { createDescribe } from './describe.js';
import type { PlaceEvents } from './expire.js';
import { createGate } from './gate.js';
import { createJoin } from './join.js';
import { createKeepSeen } from './keep-seen.js';
import { createLeave } from './leave.js';
import { createPlaceStreams } from './place-streams.js';
import type { Policy } from './policy.js';
import { createPollAtOnce } from './poll-at-once.js';
import { createQueueTokens } from './queue-tokens.js';
import { createRooms } from './rooms.js';
import { type WaitingRoomRouteDeps, waitingRoomRoutes } from './routes.js';
import { readStats, type RoomStats } from './stats.js';
import { createTidy } from './tidy.js';
import { createUseUp } from './use-up.js';

export type { Crowd } from './crowds.js';
export type { Admitted } from './gate.js';
export { lineUp } from './line-up.js';
export { parsePolicyPatch, policyTool } from './policy-tool.js';
export { type PolicyChange } from './change-policy.js';
export { type Policy, type PolicyPatch, PolicyPatchSchema, PolicySchema } from './policy.js';

export function createWaitingRoom(deps: {
  readonly sql: Sql;
  readonly jwt: Jwt;
  readonly hub: StreamHub;
  readonly programme: Programme;
  readonly requireUser: (userId: string, reader?: Reader) => Promise<unknown>;
  readonly events: PlaceEvents;
  /** A place is over, whichever process ended it. */
  readonly onPlaceOver: (placeId: string) => void;
  /** Work that nobody waits for has failed. */
  readonly onError: (error: unknown) => void;
}) {
  const { sql, programme, events, onError } = deps;
  const rooms = createRooms(sql);
  const tokens = createQueueTokens(deps.jwt);
  const describe = createDescribe({ sql, rooms });
  const streams = createPlaceStreams({ hub: deps.hub, rooms, describe });

  const admission = createAdmission({ sql, rooms, programme, events });

  /** A slot came free: if somebody is waiting for it, they are let in now and not by the next round. */
  function slotFreed(concertId: string): void {
    const room = rooms.of(concertId);
    if (room.couldLetIn(sql.nowMs())) admission.admit(concertId).catch(onError);
  }

  const leave = createLeave({
    sql,
    rooms,
    onLeft: (concertId) => {
      events.ended('LEFT', 1);
      slotFreed(concertId);
    },
  });
  const policies = createPolicies({ sql, rooms, expireWithin: admission.expireWithin });
  const useUp = createUseUp({
    onUsedUp: (concertId) => {
      events.ended('DONE', 1);
      slotFreed(concertId);
    },
  });
  const keepSeen = createKeepSeen({ sql, rooms, onError });
  const tidy = createTidy({ sql, rooms, admission });

  sql.subscribe(policyChanged, ({ concertId }) => {
    slotFreed(concertId);
  });
  sql.subscribe(placesAdmitted, ({ places }) => {
    for (const { placeId } of places) streams.tellStanding(placeId, 'admitted').catch(onError);
  });
  sql.subscribe(waitingLeft, ({ placeId }) => {
    streams.close(placeId);
  });
  sql.subscribe(placesEnded, ({ how, places }) => {
    for (const { placeId } of places) {
      deps.onPlaceOver(placeId);
      if (how === 'EXPIRED') streams.tellStanding(placeId, 'expired').catch(onError);
      if (how === 'LEFT') streams.close(placeId);
    }
  });

  return {
    gate: createGate({ sql, rooms, requireUser: deps.requireUser }),
    useUp,
    streams,
    tidy,
    openRoom: policies.openRoom,
    copyRoom: policies.copyRoom,
    changePolicy: policies.changePolicy,
    refreshPolicies: policies.refresh,
    load: rooms.load,
    identifyPlace: tokens.read,
    /** Most of the traffic of a sale. */
    express: {
      path: '/queue-tokens/me',
      answer: createPollAtOnce({ sql, rooms, tokens, keepSeen, describe }),
    },
    touchUser: keepSeen.touchUser,
    tellSeen: keepSeen.tellAll,
    tellSeenLast: keepSeen.tellLast,
    policyOf: (concertId: string): Policy => rooms.of(concertId).policy,
    statsOf: (concertId: string): Promise<RoomStats> =>
      readStats(sql.reader, rooms.of(concertId), sql.nowMs()),
    ...createCrowds(rooms, () => sql.nowMs()),
    routes: (routeDeps: Pick<WaitingRoomRouteDeps, 'identify' | 'limitJoin'>) =>
      waitingRoomRoutes({
        sql,
        rooms,
        admission,
        streams,
        describe,
        leave,
        join: createJoin({ sql, rooms, programme, admission, tokens }),
        ...routeDeps,
      }),
  };
}

export type WaitingRoom = ReturnType<typeof createWaitingRoom>;
