import type { Logger } from 'pino';
import { createAccounts } from './accounts/index.js';
import { createCatalog } from './catalog/index.js';
import type { Settings } from './config.js';
import {
  createIdentify,
  createRateLimits,
  createIdempotency,
  createServer,
  purgeIdempotencyKeys,
  readPages,
} from './http/index.js';
import { assertDefined } from './kernel/assert.js';
import { MINUTE_MS } from './kernel/time.js';
import type { Telemetry } from './telemetry.js';
import { createOperator, type History } from './operator/index.js';
import { createPayments } from './payments/index.js';
import { createJwt } from './platform/jwt/index.js';
import { createRateLimiter, createSharedRateLimiter } from './platform/rate-limit/index.js';
import { createJobs, type Jobs } from './platform/jobs/index.js';
import {
  migratePostgres,
  migrateSqlite,
  openPostgres,
  openSqlite,
  parsePostgresUrl,
  toPostgresUserError,
  type Sql,
  takeDataDirectory,
} from './platform/sql/index.js';
import { createStreamHub } from './platform/sse/index.js';
import { createReservations } from './reservations/index.js';
import { createSeating, type Seating } from './seating/index.js';
import { createWaitingRoom, type WaitingRoom } from './waiting-room/index.js';
import { ledger, walletRoutes } from './wallet/index.js';

const ADMIT_WAITING_MS = 500;
const EXPIRE_HOLDS_MS = 1000;
const FLUSH_LAST_SEEN_MS = 500;
const REFRESH_POLICIES_MS = 1000;
const PUBLISH_POSITIONS_MS = 1000;
const PUBLISH_SEAT_CHANGES_MS = 250;
/** Short, so that a sample is taken right after its period ends. */
const SAMPLE_SALES_MS = 250;

/** The database of this process, and the secret that signs its tokens. */
export interface Store {
  readonly sql: Sql;
  readonly secret: string;
  /** The path of a file in the data directory; undefined with PostgreSQL. */
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
      secret: settings.secret ?? directory.loadOrCreateSecret(),
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
  const address = assertDefined(parsePostgresUrl(url), 'readSettings accepted an invalid DATABASE_URL');
  const secret = assertDefined(settings.secret, 'readSettings accepted DATABASE_URL without a secret');
  try {
    await migratePostgres(address);
    const connectionsMax = settings.databaseConnections;
    const sql = await openPostgres({ address, connectionsMax, ...(onCommit && { onCommit }) });
    return { sql, secret, close: () => sql.close() };
  } catch (error) {
    throw toPostgresUserError(error);
  }
}

export interface ComposeDeps {
  readonly settings: Settings;
  readonly sql: Sql;
  readonly secret: string;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  readonly isReady: () => boolean;
}

/** Builds the modules and wires them to each other. The only place that knows all of them. */
export function compose({ settings, sql, secret, logger, telemetry, isReady }: ComposeDeps) {
  const { currency } = settings;
  const { recordPayment } = telemetry;
  const jwt = createJwt(secret, settings.secretOther);
  const hub = createStreamHub({ maxStreams: settings.streamsMax });
  const shared = settings.rateLimits && sql.isClustered ? createSharedRateLimiter(sql) : undefined;
  const own = settings.rateLimits ? createRateLimiter({ clock: () => sql.nowMs() }) : undefined;
  const limits = createRateLimits(shared ?? own);
  sql.onFeedGap(hub.dropAll);

  const accounts = createAccounts({ sql, jwt, limit: limits, onSignUp: ledger.open });
  const { requireUser, requireOperator } = accounts;
  const seating = createSeating({ sql, hub });
  const catalog = createCatalog({ sql });
  const { concertCache } = catalog;
  const waitingRoom = createWaitingRoom({
    sql,
    jwt,
    hub,
    concertCache,
    requireUser,
    events: { admitted: telemetry.recordAdmissions, ended: telemetry.recordEndedPlaces },
    onPlaceEnded: seating.streams.closeFor,
    onError: (error) => {
      logger.error({ err: error }, 'background task failed');
    },
  });
  const { gate, policyOf } = waitingRoom;
  const reservations = createReservations({
    sql,
    concertCache,
    inventories: seating.inventories,
    waitingRoom,
    onHeld: telemetry.recordHold,
    onHoldsExpired: telemetry.recordExpiredHolds,
  });
  const payments = createPayments({ sql, concertCache, waitingRoom, requireUser, onPaid: recordPayment });

  const operator = createOperator({ sql, currency, catalog, seating, waitingRoom, refund: payments.refund });

  const identify = createIdentify({
    identifyAccess: accounts.identifyAccess,
    identifyPlace: waitingRoom.identifyPlace,
    nowMs: () => sql.nowMs(),
    onCaller: ({ userId }, nowMs) => {
      waitingRoom.touchUser(userId, nowMs);
    },
  });
  const idempotently = createIdempotency({ sql, requireUser });
  const app = createServer({
    settings: { ...settings, trustProxy: [...settings.trustProxy] },
    logger,
    metrics: telemetry.metrics,
    isReady,
    ...(sql.isClustered && { waitForChanges: () => sql.waitForChanges() }),
    identify,
    requireOperator,
    routes: [
      accounts.routes({ identify }),
      catalog.routes({ seating, identify, requireActive: gate.requireActive, policyOf }),
      waitingRoom.routes({ identify, limitJoin: limits.join }),
      walletRoutes({
        sql,
        currency,
        identify,
        idempotently,
        walletGate: settings.walletGate,
        requireLivePlace: gate.requireLivePlace,
      }),
      reservations.routes({ identify, idempotently, requireUser, limitHold: limits.hold }),
      payments.routes({ identify, idempotently }),
      operator.routes({ identify, idempotently, requireOperator }),
    ],
    fastPath: waitingRoom.pollFastPath,
    pages: readPages(),
  });
  telemetry.addGauges(waitingRoom.totals, () => hub.size);

  const jobs = createBackgroundJobs(logger);

  return {
    app,
    hub,
    accounts,
    createConcert: operator.createConcert,
    charge: ledger.charge,
    load: () => waitingRoom.load().then(() => sql.waitForChanges()),
    jobs,
    /** Stores the last-seen times that other processes need, before this one stops. */
    flushOnShutdown: () => (sql.isClustered ? waitingRoom.flushAllLastSeen() : Promise.resolve()),
    startJobs: () => {
      startJobs(jobs, sql, { seating, waitingRoom, reservations, history: operator.history });
      if (shared) jobs.every('purge-rate-limit-buckets', MINUTE_MS, shared.purge);
    },
  };
}

export type Foyer = ReturnType<typeof compose>;

const createBackgroundJobs = (logger: Logger): Jobs =>
  createJobs({
    onError: (name, error) => {
      logger.error({ err: error, job: name }, 'scheduled job failed');
    },
  });

/** No answer depends on a job, except how soon a waiting fan is admitted. */
function startJobs(
  jobs: Jobs,
  sql: Sql,
  modules: {
    readonly seating: Pick<Seating, 'streams'>;
    readonly waitingRoom: Pick<WaitingRoom, 'maintenance' | 'refreshPolicies' | 'flushLastSeen' | 'streams'>;
    readonly reservations: { expireHolds(): Promise<void> };
    readonly history: History;
  },
): void {
  const { seating, waitingRoom, reservations, history } = modules;
  jobs.every('admit-waiting', ADMIT_WAITING_MS, waitingRoom.maintenance.admitDue);
  jobs.every('expire-holds', EXPIRE_HOLDS_MS, reservations.expireHolds);
  if (sql.isClustered) jobs.every('flush-last-seen', FLUSH_LAST_SEEN_MS, waitingRoom.flushLastSeen);
  // With SQLite, the command line changes policies in the database without publishing them.
  else jobs.every('refresh-policies', REFRESH_POLICIES_MS, waitingRoom.refreshPolicies);
  jobs.every('purge-change-feed', MINUTE_MS, () => sql.purgeChangeFeed());
  jobs.every('publish-positions', PUBLISH_POSITIONS_MS, waitingRoom.streams.flush);
  jobs.every('publish-seat-changes', PUBLISH_SEAT_CHANGES_MS, seating.streams.flush);
  jobs.every('purge-ended-places', MINUTE_MS, waitingRoom.maintenance.purgeEnded);
  jobs.every('sample-sales', SAMPLE_SALES_MS, history.sample);
  jobs.every('purge-samples', MINUTE_MS, history.purge);
  jobs.every('purge-idempotency-keys', MINUTE_MS, async () => {
    await purgeIdempotencyKeys(sql);
  });
}
