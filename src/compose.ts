import type { Logger } from 'pino';
import { type Accounts, createAccounts } from './accounts/index.js';
import { type Catalog, createCatalog } from './catalog/index.js';
import type { Settings } from './config.js';
import {
  createIdentify,
  createLimits,
  createOnce,
  createServer,
  forgetOldKeys,
  readPages,
} from './http/index.js';
import { present } from './kernel/assert.js';
import type { Caller } from './kernel/caller.js';
import { MINUTE_MS } from './kernel/time.js';
import type { Observer } from './observe.js';
import { createOperator, type History } from './operator/index.js';
import { createPayments } from './payments/index.js';
import { createJwt } from './platform/jwt/index.js';
import { createRateLimiter, createSharedRateLimiter } from './platform/rate-limit/index.js';
import { createSchedule, type Schedule } from './platform/schedule/index.js';
import {
  migratePostgres,
  migrateSqlite,
  openPostgres,
  openSqlite,
  parsePostgresUrl,
  postgresFault,
  type Sql,
  takeDataDirectory,
} from './platform/sql/index.js';
import { createStreamHub } from './platform/sse/index.js';
import { createReservations } from './reservations/index.js';
import { createWaitingRoom, type WaitingRoom } from './waiting-room/index.js';
import { ledger, walletRoutes } from './wallet/index.js';

const MOVE_LINES_MS = 500;
const EXPIRE_HOLDS_MS = 1000;
const TELL_SEEN_MS = 500;
const REFRESH_POLICIES_MS = 1000;
const POSITIONS_MS = 1000;
const SEAT_CHANGES_MS = 250;
/** Often enough that a sample is taken right after its period has ended. */
const SAMPLE_LOOK_MS = 250;

/** The database a process works on, and the key its tokens are signed with. */
export interface Store {
  readonly sql: Sql;
  readonly secret: string;
  /** A file of this installation's own, beside an embedded database. */
  readonly path?: (name: string) => string;
  close(): Promise<void>;
}

export interface StoreEvents {
  readonly onFatal: (error: unknown) => void;
  readonly onCommit?: (groupSize: number) => void;
}

export async function openStore(settings: Settings, events: StoreEvents): Promise<Store> {
  return settings.databaseUrl === undefined
    ? openEmbedded(settings, events)
    : openCluster(settings, settings.databaseUrl, events);
}

async function openEmbedded(settings: Settings, events: StoreEvents): Promise<Store> {
  const directory = takeDataDirectory(settings.dataDir);
  try {
    await migrateSqlite(directory.databaseFile);
    const sql = openSqlite({ file: directory.databaseFile, clock: Date.now, ...events });
    return {
      sql,
      secret: settings.secret ?? directory.keptSecret(),
      path: (name) => directory.path(name),
      async close() {
        await sql.close();
        directory.release();
      },
    };
  } catch (error) {
    directory.release();
    throw error;
  }
}

async function openCluster(settings: Settings, url: string, { onCommit }: StoreEvents): Promise<Store> {
  const address = present(parsePostgresUrl(url), 'the settings were checked');
  const secret = present(settings.secret, 'the settings were checked');
  try {
    await migratePostgres(address);
    const connectionsMax = settings.databaseConnections;
    const sql = await openPostgres({ address, connectionsMax, ...(onCommit && { onCommit }) });
    return { sql, secret, close: () => sql.close() };
  } catch (error) {
    throw postgresFault(error);
  }
}

export interface ComposeDeps {
  readonly settings: Settings;
  readonly sql: Sql;
  readonly secret: string;
  readonly logger: Logger;
  readonly observer: Observer;
  readonly isReady: () => boolean;
}

/** Builds the rooms and wires them to each other: the only place that knows them all. */
export function compose({ settings, sql, secret, logger, observer, isReady }: ComposeDeps) {
  const { currency } = settings;
  const jwt = createJwt(secret, settings.secretOther);
  const hub = createStreamHub({ maxStreams: settings.streamsMax });
  const shared = settings.rateLimits && sql.isShared ? createSharedRateLimiter(sql) : undefined;
  const own = settings.rateLimits ? createRateLimiter({ clock: () => sql.nowMs() }) : undefined;
  const limits = createLimits(shared ?? own);
  const once = createOnce({ sql, requireUser: (id, reader) => accounts.requireUser(id, reader) });
  sql.onMissed(() => {
    hub.dropAll();
    return Promise.resolve();
  });

  const identify = createIdentify({
    identifyAccess: (token, nowMs) => accounts.identifyAccess(token, nowMs),
    identifyPlace: (token) => waitingRoom.identifyPlace(token),
    nowMs: () => sql.nowMs(),
    onCaller: ({ userId }, nowMs) => {
      waitingRoom.touchUser(userId, nowMs);
    },
  });
  const accounts: Accounts = createAccounts({ sql, jwt, identify, limit: limits, onSignUp: ledger.open });
  const { requireUser, requireOperator } = accounts;

  const catalog = createCatalog({ sql, hub });
  const waitingRoom = createWaitingRoom({
    sql,
    jwt,
    hub,
    programme: catalog.programme,
    requireUser,
    events: { admitted: observer.admitted, ended: observer.placesEnded },
    onPlaceOver: catalog.streams.closeFor,
    onError: (error) => {
      logger.error({ err: error }, 'work that nobody waited for has failed');
    },
  });
  const { gate } = waitingRoom;
  const reservations = createReservations({
    sql,
    catalog,
    waitingRoom,
    onHeld: observer.held,
    onHoldsExpired: observer.holdsExpired,
  });
  const payments = createPayments({
    sql,
    programme: catalog.programme,
    settlement: reservations.settlement,
    waitingRoom,
    requireUser,
    onPaid: observer.paid,
  });

  const operator = createOperator({ sql, currency, catalog, waitingRoom, refund: payments.refund });

  async function requireWalletAccess(caller: Caller): Promise<void> {
    if (caller.kind === 'queue' || settings.walletGate === 'queue-token') await gate.requireLive(caller);
  }

  const app = createServer({
    settings: { ...settings, trustProxy: [...settings.trustProxy] },
    logger,
    metrics: observer.metrics,
    isReady,
    ...(sql.isShared && { caughtUp: () => sql.caughtUp() }),
    identify,
    requireOperator,
    routes: [
      accounts.routes,
      catalog.routes({ identify, requireActive: gate.requireActive, policyOf: waitingRoom.policyOf }),
      waitingRoom.routes({ identify, limitJoin: limits.join }),
      walletRoutes({ sql, currency, identify, once, requireWalletAccess }),
      reservations.routes({ identify, once, requireUser, limitHold: limits.hold }),
      payments.routes({ identify, once }),
      operator.routes({ identify, once, requireOperator }),
    ],
    express: waitingRoom.express,
    pages: readPages(),
  });
  observer.watch(waitingRoom.totals, () => hub.size);

  const schedule = createTasks(logger);

  return {
    app,
    hub,
    accounts,
    createConcert: operator.createConcert,
    charge: ledger.charge,
    load: () => waitingRoom.load().then(() => sql.caughtUp()),
    schedule,
    /** What the other processes have to know before this one ends. */
    takeLeave: () => (sql.isShared ? waitingRoom.tellSeenLast() : Promise.resolve()),
    startSchedule: () => {
      startSchedule(schedule, sql, { catalog, waitingRoom, reservations, history: operator.history });
      if (shared) schedule.every('forget full buckets', MINUTE_MS, shared.tidy);
    },
  };
}

export type Foyer = ReturnType<typeof compose>;

const createTasks = (logger: Logger): Schedule =>
  createSchedule({
    onError: (name, error) => {
      logger.error({ err: error, task: name }, 'a scheduled task has failed');
    },
  });

/** Tidying up and telling. No answer depends on it, except how soon someone waiting is let in. */
function startSchedule(
  schedule: Schedule,
  sql: Sql,
  rooms: {
    readonly catalog: Pick<Catalog, 'streams'>;
    readonly waitingRoom: Pick<WaitingRoom, 'tidy' | 'refreshPolicies' | 'tellSeen' | 'streams'>;
    readonly reservations: { expireHolds(): Promise<void> };
    readonly history: History;
  },
): void {
  const { catalog, waitingRoom, reservations, history } = rooms;
  schedule.every('move lines', MOVE_LINES_MS, waitingRoom.tidy.moveLines);
  schedule.every('expire holds', EXPIRE_HOLDS_MS, reservations.expireHolds);
  if (sql.isShared) schedule.every('tell who is here', TELL_SEEN_MS, waitingRoom.tellSeen);
  // The command line writes beside the one process there is; to many it announces, like everybody.
  else schedule.every('refresh policies', REFRESH_POLICIES_MS, waitingRoom.refreshPolicies);
  schedule.every('forget old changes', MINUTE_MS, () => sql.tidy());
  schedule.every('tell positions', POSITIONS_MS, waitingRoom.streams.flush);
  schedule.every('tell seat changes', SEAT_CHANGES_MS, catalog.streams.flush);
  schedule.every('forget ended places', MINUTE_MS, waitingRoom.tidy.forgetEnded);
  schedule.every('take samples', SAMPLE_LOOK_MS, history.sample);
  schedule.every('forget old samples', MINUTE_MS, history.tidy);
  schedule.every('forget old keys', MINUTE_MS, async () => {
    await forgetOldKeys(sql);
  });
}
