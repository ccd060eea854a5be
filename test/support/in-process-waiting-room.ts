import { createCatalog } from '../../src/catalog/index.js';
import { createIdentify } from '../../src/http/index.js';
import type { QueueCaller } from '../../src/kernel/caller.js';
import { createUserQueue } from '../../src/platform/rate-limit/index.js';
import { createJwt } from '../../src/platform/jwt/index.js';
import { migrateSqlite, openSqlite, type Sql, statement, type Tx } from '../../src/platform/sql/index.js';
import { createStreamHub } from '../../src/platform/sse/index.js';
import {
  createWaitingRoom,
  type Policy,
  type PolicyPatch,
  type WaitingRoom,
} from '../../src/waiting-room/index.js';
import { callHandlers, type Outcome, outcomeOf } from './handlers.js';

export const CONCERT = 'a-concert';
/** How long before its end the sale is opened. */
export const SALE_MS = 365 * 24 * 3600 * 1000;
const SECRET = 'a-secret-for-tests-only';

const insertConcert = statement<[id: string]>(
  'insert_test_concert',
  `INSERT INTO concerts (id, title, venue, description, currency, created_at) VALUES ($1, 'T', 'V', '', 'KRW', 1)`,
);
const insertSchedule = statement<[concertId: string, startsAtMs: number]>(
  'insert_test_schedule',
  `INSERT INTO schedules (id, concert_id, starts_at, seats_total, sections) VALUES ('a-schedule', $1, $2, 1, '[]')`,
);
/** One seat that nobody buys: a sale without any would be sold out. */
const insertSeat = statement(
  'insert_test_seat',
  `INSERT INTO seats (id, schedule_id, position, section, row_name, number, label, grade, price, status)
   VALUES ('a-seat', 'a-schedule', 0, 'A', '1', 1, 'A-1-1', 'R', 1, 'AVAILABLE')`,
);
const insertUsers = statement<[ids: readonly string[]]>(
  'insert_test_users',
  `INSERT INTO users (id, email, email_key, name, role, password_hash, created_at)
   SELECT value, value, value, 'N', 'CUSTOMER', 'H', 1 FROM json_each($1)`,
);

/** The waiting room of one concert on a real SQLite database, called in this process without HTTP. */
export interface InProcessWaitingRoom {
  readonly waitingRoom: WaitingRoom;
  readonly sql: Sql;
  /** Number of reads and transactions so far. */
  storeCalls(): number;
  join(userId: string): Promise<Outcome>;
  poll(token: string): Promise<Outcome>;
  /** Polls without counting as activity of the fan. */
  peek(token: string): Promise<Outcome>;
  leave(token: string): Promise<Outcome>;
  /** Consumes the place as a payment does. */
  consumePlace(token: string): Promise<Outcome>;
  /** Runs the booking gate for this queue token: 200, or 403 with the reason. */
  checkGate(token: string): Promise<Outcome>;
  changePolicy(patch: PolicyPatch): Promise<Policy>;
  /** What the next transaction does after its commit waits until `release` is called. */
  holdNextEffects(): { readonly committed: Promise<void>; release(): void };
  close(): Promise<void>;
}

/** Creates a database with one concert, its queue and these users. */
export async function createWaitingRoomDatabase(
  file: string,
  users: readonly string[],
  policy: PolicyPatch,
  nowMs: number,
): Promise<void> {
  await migrateSqlite(file);
  const opened = await openWaitingRoomInProcess(file, () => nowMs);
  await opened.sql.transaction(async (tx) => {
    await tx.exec(insertConcert, [CONCERT]);
    await tx.exec(insertSchedule, [CONCERT, nowMs + SALE_MS]);
    await tx.exec(insertSeat, []);
    await tx.exec(insertUsers, [users]);
    await opened.waitingRoom.openQueue(tx, CONCERT, nowMs + SALE_MS, policy);
  });
  await opened.close();
}

/** Opens a waiting room as a starting server does: all state is loaded from the database. */
export async function openWaitingRoomInProcess(
  file: string,
  clock: () => number,
): Promise<InProcessWaitingRoom> {
  const database = openSqlite({ file, clock, onFatal: fail });
  const { sql: counted, storeCalls } = countCalls(database);
  const { sql, holdNextEffects } = delayEffects(counted);
  const hub = createStreamHub({ maxStreams: 1 });
  const waitingRoom = createWaitingRoom({
    sql,
    jwt: createJwt(SECRET),
    hub,
    concertCache: createCatalog({ sql }).concertCache,
    requireUser: () => Promise.resolve(),
    endedRetentionMs: 2 * 3600 * 1000,
    isRevoked: () => false,
    isErased: () => false,
    events: { admitted: () => undefined, ended: () => undefined },
    onPlaceEnded: () => undefined,
    onError: fail,
  });
  await waitingRoom.load();
  const call = callRoutes(waitingRoom, () => sql.nowMs());
  const callerOf = (token: string): QueueCaller => {
    const place = waitingRoom.identifyPlace(token);
    if (!place) throw new Error('not a valid queue token');
    return { kind: 'queue', userId: place.userId, place };
  };
  return {
    waitingRoom,
    sql,
    storeCalls,
    holdNextEffects,
    join: (userId) => call('POST /concerts/:concertId/queue-tokens', userId),
    poll: (token) => call('GET /queue-tokens/me', token),
    peek: (token) => call('GET /queue-tokens/me', token, true),
    leave: (token) => call('DELETE /queue-tokens/me', token),
    consumePlace: (token) =>
      outcomeOf(async () => {
        await sql.transaction(async (tx) => {
          const caller = callerOf(token);
          const places = await waitingRoom.gate.lockPlaces(tx, [caller.place.placeId]);
          const place = await waitingRoom.gate.requireLocked(tx, places, caller, CONCERT);
          waitingRoom.consumePlaces(tx, [place]);
        });
        return { status: 201, body: undefined };
      }),
    checkGate: (token) =>
      outcomeOf(async () => ({
        status: 200,
        body: await waitingRoom.gate.requireActive(callerOf(token), CONCERT),
      })),
    changePolicy: async (patch) =>
      (await sql.transaction((tx) => waitingRoom.changePolicy(tx, CONCERT, patch))).after,
    async close() {
      hub.closeAll();
      await database.close();
    },
  };
}

/** Wraps the database and counts its reads and transactions. */
function countCalls(sql: Sql): { sql: Sql; storeCalls: () => number } {
  let calls = 0;
  return {
    storeCalls: () => calls,
    sql: {
      desk: sql.desk,
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
      subscribe: (topic, listener) => {
        sql.subscribe(topic, listener);
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

/** Wraps the database so that a process can be late with what it does after a commit. */
function delayEffects(sql: Sql): { sql: Sql; holdNextEffects: InProcessWaitingRoom['holdNextEffects'] } {
  let hold: { readonly onCommitted: () => void; readonly released: Promise<void> } | undefined;
  const collecting = (tx: Tx, effects: (() => void)[]): Tx =>
    new Proxy(tx, {
      get(target, member) {
        if (member === 'afterCommit') return (effect: () => void) => void effects.push(effect);
        const value: unknown = Reflect.get(target, member, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  return {
    holdNextEffects() {
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const committed = new Promise<void>((resolve) => {
        hold = { onCommitted: resolve, released };
      });
      return { committed, release };
    },
    sql: {
      ...sql,
      async transaction(work) {
        if (!hold) return sql.transaction(work);
        const { onCommitted, released } = hold;
        hold = undefined;
        const effects: (() => void)[] = [];
        const result = await sql.transaction((tx) => work(collecting(tx, effects)));
        onCommitted();
        await released;
        for (const effect of effects) effect();
        return result;
      },
    },
  };
}

/** Calls the routes of the waiting room. Access tokens are user ids. */
function callRoutes(waitingRoom: WaitingRoom, nowMs: () => number) {
  const credentials = {
    identifyAccess: (token: string) => ({ userId: token, credentialVersion: 0, sessionId: undefined }),
    identifyPlace: (token: string) => waitingRoom.identifyPlace(token),
    nowMs,
  };
  const identifyOnly = createIdentify(credentials);
  const identifyAndTouch = createIdentify({
    ...credentials,
    onCaller: ({ userId }, atMs) => {
      waitingRoom.touchUser(userId, atMs);
    },
  });
  const routes = waitingRoom.routes({
    identify: (request) => ('isPeek' in request ? identifyOnly : identifyAndTouch)(request),
    limit: { join: () => Promise.resolve(), leave: () => Promise.resolve() },
    userQueue: createUserQueue(),
  });
  const call = callHandlers(routes);
  return (route: string, token: string, isPeek = false): Promise<Outcome> =>
    call(route, token, { params: { concertId: CONCERT }, ...(isPeek ? { isPeek } : {}) });
}

function fail(error: unknown): never {
  throw error;
}
