import { createCatalog } from '../../src/catalog/index.js';
import { createIdentify } from '../../src/http/index.js';
import type { Caller } from '../../src/kernel/caller.js';
import { createJwt } from '../../src/platform/jwt/index.js';
import { migrateSqlite, openSqlite, type Sql, statement } from '../../src/platform/sql/index.js';
import { createStreamHub } from '../../src/platform/sse/index.js';
import {
  createWaitingRoom,
  type Policy,
  type PolicyPatch,
  type WaitingRoom,
} from '../../src/waiting-room/index.js';
import { callHandlers, type Outcome, outcomeOf } from './handlers.js';

export const CONCERT = 'a-concert';
const SECRET = 'a-secret-for-tests-only';

const insertConcert = statement<[id: string]>(
  'insert_test_concert',
  `INSERT INTO concerts (id, title, venue, description, currency, created_at) VALUES ($1, 'T', 'V', '', 'KRW', 1)`,
);
const insertUsers = statement<[ids: readonly string[]]>(
  'insert_test_users',
  `INSERT INTO users (id, email, email_key, name, role, password_hash, created_at)
   SELECT value, value, value, 'N', 'CUSTOMER', 'H', 1 FROM json_each($1)`,
);

/** One concert's waiting room with a real store, called in this process without HTTP around it. */
export interface RoomInProcess {
  readonly room: WaitingRoom;
  readonly sql: Sql;
  /** How often the store has been asked for anything so far. */
  storeCalls(): number;
  join(userId: string): Promise<Outcome>;
  poll(token: string): Promise<Outcome>;
  /** Asks how a place stands without being a sign of life. */
  look(token: string): Promise<Outcome>;
  leave(token: string): Promise<Outcome>;
  /** What a payment does to the place that it served. */
  consumePlace(token: string): Promise<Outcome>;
  /** Whether a booking call with this queue token is let in, and why not. */
  enter(token: string): Promise<Outcome>;
  changePolicy(patch: PolicyPatch): Promise<Policy>;
  close(): Promise<void>;
}

/** Makes the database of a test: one concert with its room, and these users. */
export async function createRoomDatabase(
  file: string,
  users: readonly string[],
  policy: PolicyPatch,
  nowMs: number,
): Promise<void> {
  await migrateSqlite(file);
  const opened = await openRoomInProcess(file, () => nowMs);
  await opened.sql.transaction(async (tx) => {
    await tx.exec(insertConcert, [CONCERT]);
    await tx.exec(insertUsers, [users]);
    await opened.room.openQueue(tx, CONCERT, policy);
  });
  await opened.close();
}

/** Starts on a database as a server does: everything anew, and loaded from the files. */
export async function openRoomInProcess(file: string, clock: () => number): Promise<RoomInProcess> {
  const store = openSqlite({ file, clock, onFatal: fail });
  const { sql, storeCalls } = counted(store);
  const hub = createStreamHub({ maxStreams: 1 });
  const room = createWaitingRoom({
    sql,
    jwt: createJwt(SECRET),
    hub,
    concertCache: createCatalog({ sql }).concertCache,
    requireUser: () => Promise.resolve(),
    events: { admitted: () => undefined, ended: () => undefined },
    onPlaceEnded: () => undefined,
    onError: fail,
  });
  await room.load();
  const call = callRoutes(room, () => sql.nowMs());
  const callerOf = (token: string): Caller => {
    const place = room.identifyPlace(token);
    if (!place) throw new Error('a queue token that is none');
    return { kind: 'queue', userId: place.userId, place };
  };
  return {
    room,
    sql,
    storeCalls,
    join: (userId) => call('POST /concerts/:concertId/queue-tokens', userId),
    poll: (token) => call('GET /queue-tokens/me', token),
    look: (token) => call('GET /queue-tokens/me', token, true),
    leave: (token) => call('DELETE /queue-tokens/me', token),
    consumePlace: (token) =>
      outcomeOf(async () => {
        await sql.transaction(async (tx) => {
          const admitted = await room.gate.lockActivePlace(tx, callerOf(token), CONCERT);
          await room.consumePlace(tx, CONCERT, admitted);
        });
        return { status: 201, body: undefined };
      }),
    enter: (token) =>
      outcomeOf(async () => ({ status: 200, body: await room.gate.requireActive(callerOf(token), CONCERT) })),
    changePolicy: async (patch) =>
      (await sql.transaction((tx) => room.changePolicy(tx, CONCERT, patch))).after,
    async close() {
      hub.closeAll();
      await store.close();
    },
  };
}

/** The port with a counter before everything that reaches the database. */
function counted(sql: Sql): { sql: Sql; storeCalls: () => number } {
  let calls = 0;
  return {
    storeCalls: () => calls,
    sql: {
      reader: {
        all(query, params) {
          calls += 1;
          return sql.reader.all(query, params);
        },
        get(query, params) {
          calls += 1;
          return sql.reader.get(query, params);
        },
      },
      transaction(work) {
        calls += 1;
        return sql.transaction(work);
      },
      isClustered: sql.isClustered,
      nowMs: () => sql.nowMs(),
      subscribe: (about, hear) => {
        sql.subscribe(about, hear);
      },
      onFeedGap: (reread) => {
        sql.onFeedGap(reread);
      },
      waitForChanges: () => sql.waitForChanges(),
      purgeChangeFeed: () => sql.purgeChangeFeed(),
      close: () => sql.close(),
    },
  };
}

/** The room's routes. Access tokens are user ids. */
function callRoutes(room: WaitingRoom, nowMs: () => number) {
  const credentials = {
    identifyAccess: (token: string) => ({ userId: token }),
    identifyPlace: (token: string) => room.identifyPlace(token),
    nowMs,
  };
  const unseen = createIdentify(credentials);
  const seen = createIdentify({
    ...credentials,
    onCaller: ({ userId }, atMs) => {
      room.touchUser(userId, atMs);
    },
  });
  const routes = room.routes({
    identify: (request) => ('unseen' in request ? unseen : seen)(request),
    limitJoin: () => undefined,
  });
  const call = callHandlers(routes);
  return (route: string, token: string, isUnseen = false): Promise<Outcome> =>
    call(route, token, { params: { concertId: CONCERT }, ...(isUnseen ? { unseen: true } : {}) });
}

function fail(error: unknown): never {
  throw error;
}
