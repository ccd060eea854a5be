import type { Logger } from 'pino';
import { type Accounts, createAccounts } from './accounts/index.js';
import { createCatalog } from './catalog/index.js';
import type { Settings } from './config.js';
import {
  createIdentify,
  createRateLimits,
  createServer,
  createWrites,
  eraseStoredResponses,
  readPages,
} from './http/index.js';
import type { Caller } from './kernel/caller.js';
import { denied, Refusal } from './kernel/refusal.js';
import { MINUTE_MS } from './kernel/time.js';
import { createMail, type Mail } from './mail/index.js';
import { createOperator } from './operator/index.js';
import { createPayments } from './payments/index.js';
import { createEraseAccount, personalDataRoutes } from './personal-data/index.js';
import { createJobs, type Jobs } from './platform/jobs/index.js';
import { createJwt } from './platform/jwt/index.js';
import {
  createKnownNetworks,
  createRateLimiter,
  createSharedRateLimiter,
  createUserQueue,
} from './platform/rate-limit/index.js';
import type { Sql } from './platform/sql/index.js';
import { createStreamHub } from './platform/sse/index.js';
import type { App } from './platform/web/index.js';
import { createReservations, releaseHolds } from './reservations/index.js';
import { createSeating } from './seating/index.js';
import { startJobs, startPurges } from './start-jobs.js';
import type { Telemetry } from './telemetry.js';
import { createWaitingRoom, type WaitingRoom } from './waiting-room/index.js';
import { chargeWallet, ledger, walletRoutes } from './wallet/index.js';

/** Without rate limits, a load test may send this many concurrent writes of one user. */
const LOAD_TEST_WAITING_MAX = 10_000;

export interface ComposeDeps {
  readonly settings: Settings;
  readonly sql: Sql;
  readonly secret: string;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  readonly isReady: () => boolean;
}

/** Builds the modules and wires them to each other. The only place that knows all of them. */
export function compose(deps: ComposeDeps) {
  const { settings, sql, logger, telemetry } = deps;
  const modules = createModules(deps);
  const { hub, accounts, catalog, seating, waitingRoom, reservations, operator, mail, limits } = modules;
  const app = createApp(deps, modules);
  telemetry.addGauges(waitingRoom.totals, () => hub.size);
  telemetry.addSeatGauges(seating.inventories.size);
  const jobs = createBackgroundJobs(logger);

  return {
    app,
    hub,
    accounts,
    createConcert: operator.createConcert,
    charge: chargeWallet,
    load: () => loadState(sql, accounts, waitingRoom),
    stopJobs: () => stopJobs(jobs, mail),
    /** Stores the last-seen times that other processes, or the next start, need, before this process stops. */
    flushOnShutdown: waitingRoom.flushAllLastSeen,
    startJobs: () => {
      startJobs(jobs, sql, { accounts, catalog, seating, waitingRoom, reservations, ...operator, mail });
      startPurges(jobs, sql, settings.retention);
      const { purgeBuckets, purgeNetworks } = limits;
      if (purgeBuckets) jobs.every('purge-rate-limit-buckets', MINUTE_MS, purgeBuckets);
      if (purgeNetworks) jobs.every('purge-known-networks', MINUTE_MS, purgeNetworks);
    },
  };
}

export type Foyer = ReturnType<typeof compose>;

function createModules({ settings, sql, secret, logger, telemetry }: ComposeDeps) {
  const { currency, timeZone, passwordMemoryMib, publicUrl } = settings;
  const jwt = createJwt(secret, settings.secretOther);
  const hub = createStreamHub({ maxStreams: settings.streamsMax });
  sql.onFeedGap(hub.dropAll);
  const limits = createLimits(settings.rateLimits, sql);
  const mail = openMail(settings, sql, logger, telemetry);
  const accounts = createAccounts({
    sql,
    jwt,
    passwordMemoryMib,
    limit: limits.limit,
    onSignUp: ledger.open,
    enqueueMail: mail.enqueue,
    publicUrl,
  });
  const { requireUser } = accounts;
  const seating = createSeating({ sql, hub });
  const catalog = createCatalog({ sql });
  const { concertCache } = catalog;
  const onError = (error: unknown, concertId?: string): void => {
    logger.error({ err: error, concertId }, 'background task failed');
  };
  const waitingRoom = createWaitingRoom({
    sql,
    jwt,
    hub,
    concertCache,
    requireUser,
    isRevoked: accounts.isRevoked,
    isErased: accounts.isErased,
    events: { admitted: telemetry.recordAdmissions, ended: telemetry.recordEndedPlaces },
    endedRetentionMs: settings.retention.placesMs,
    onPlaceEnded: seating.streams.closeFor,
    onError,
  });
  accounts.onSessionsRevoked(waitingRoom.closeStreamsOf);
  catalog.watchSoldOut({ seating, onSoldOut: waitingRoom.closing.close, onError });
  const reservations = createReservations({
    sql,
    concertCache,
    inventories: seating.inventories,
    waitingRoom,
    onHeld: telemetry.recordHold,
    onHoldsExpired: telemetry.recordExpiredHolds,
  });
  const onPaid = telemetry.recordPayment;
  const payments = createPayments({ sql, concertCache, waitingRoom, requireUser, onPaid });
  const { refund } = payments;
  const operator = createOperator({
    sql,
    currency,
    timeZone,
    catalog,
    seating,
    waitingRoom,
    refund,
    onError,
  });
  return { hub, limits, mail, accounts, seating, catalog, waitingRoom, reservations, payments, operator };
}

type Modules = ReturnType<typeof createModules>;

/** The HTTP server with the routes of all modules. */
function createApp({ settings, sql, logger, telemetry, isReady }: ComposeDeps, modules: Modules): App {
  const { accounts, seating, catalog, waitingRoom, reservations, payments, operator, mail } = modules;
  const { currency, walletGate } = settings;
  const { limit, userQueue } = modules.limits;
  const { requireUser, requireOperator } = accounts;
  const { gate, policyOf, hasClosed } = waitingRoom;
  const { requireActiveInOpenSale, requireLivePlace } = gate;
  const { identify, findDenial } = createCallerChecks(sql, accounts, waitingRoom);
  const { idempotently, inBatches } = createWrites({ sql, requireUser, userQueue });
  const eraseAccount = createEraseAccount({
    sql,
    currency,
    userQueue,
    requireErasable: accounts.requireErasable,
    releaseHolds,
    leaveQueues: waitingRoom.leaveAll,
    eraseUser: accounts.eraseUser,
    eraseStoredResponses,
    eraseMail: mail.eraseRecipient,
  });
  return createServer({
    settings: { ...settings, trustProxy: [...settings.trustProxy] },
    logger,
    metrics: telemetry.metrics,
    isReady,
    ...(sql.isClustered && {
      waitForChanges: () => sql.waitForChanges(),
      // Another process may have admitted the caller just before: this request is the one that shows up.
      onCallerPassed: ({ userId }: Caller) => {
        waitingRoom.touchUser(userId, sql.nowMs());
      },
    }),
    identify,
    findDenial,
    requireOperator,
    routes: [
      accounts.routes({ identify }),
      catalog.routes({
        seating,
        identify,
        requireActive: requireActiveInOpenSale,
        hasClosed,
        policyOf,
        limit,
      }),
      waitingRoom.routes({ identify, limit, userQueue }),
      walletRoutes({ sql, currency, identify, inBatches, walletGate, requireLivePlace, limit }),
      reservations.routes({ identify, inBatches, requireUser, limit }),
      payments.routes({ identify, inBatches, limit }),
      personalDataRoutes({ sql, currency, identify, requireUser, eraseAccount, limit }),
      operator.routes({ identify, idempotently, requireOperator }),
      mail.routes,
    ],
    fastPath: waitingRoom.pollFastPath,
    pages: readPages(),
    pageHead: {
      publicUrl: settings.publicUrl,
      isDemo: settings.demo,
      findConcert: catalog.findSharedConcert,
    },
  });
}

/** Who is calling, and whether their token still serves. */
function createCallerChecks(sql: Sql, accounts: Accounts, waitingRoom: WaitingRoom) {
  return {
    identify: createIdentify({
      identifyAccess: accounts.identifyAccess,
      identifyPlace: waitingRoom.identifyPlace,
      nowMs: () => sql.nowMs(),
      onCaller: ({ userId }, nowMs) => {
        waitingRoom.touchUser(userId, nowMs);
      },
    }),
    findDenial(caller: Caller): ReturnType<WaitingRoom['findDenial']> {
      if (accounts.isErased(caller.userId)) return new Refusal('USER_NOT_FOUND');
      if (accounts.isRevoked(caller.kind === 'access' ? caller : caller.place)) return denied('INVALID');
      return caller.kind === 'queue' ? waitingRoom.findDenial(caller.place) : undefined;
    },
  };
}

/** Reads what this process keeps in memory, before the first request. */
async function loadState(sql: Sql, accounts: Accounts, waitingRoom: WaitingRoom): Promise<void> {
  await accounts.load();
  await waitingRoom.load();
  await sql.waitForChanges();
}

/** On SQLite there is one process, so limits in its memory count everything. */
function createLimits(settings: Settings['rateLimits'], sql: Sql) {
  if (!settings)
    return { limit: createRateLimits(undefined), userQueue: createUserQueue(LOAD_TEST_WAITING_MAX) };
  const local = createRateLimiter({ clock: () => sql.nowMs() });
  const cluster = sql.isClustered ? createSharedRateLimiter(sql) : undefined;
  const knownNetworks = createKnownNetworks(sql);
  return {
    limit: createRateLimits({ settings, local, shared: cluster ?? local, knownNetworks }),
    userQueue: createUserQueue(),
    purgeBuckets: cluster?.purge,
    purgeNetworks: knownNetworks.purge,
  };
}

const createBackgroundJobs = (logger: Logger): Jobs =>
  createJobs({
    onError: (name, error) => {
      logger.error({ err: error, job: name }, 'scheduled job failed');
    },
  });

function stopJobs(jobs: Jobs, mail: Pick<Mail, 'stop'>): Promise<void> {
  // A slow SMTP server must not delay the shutdown.
  mail.stop();
  return jobs.stop();
}

const openMail = ({ smtp, retention }: Settings, sql: Sql, logger: Logger, telemetry: Telemetry): Mail =>
  createMail({
    sql,
    smtp,
    retentionMs: retention.mailsMs,
    events: {
      sent: () => {
        telemetry.recordMail('sent');
      },
      retried: (failure) => {
        telemetry.recordMail('retried');
        logger.warn(failure, 'sending mail failed, will retry');
      },
      failed: (failure) => {
        telemetry.recordMail('failed');
        logger.error(failure, 'sending mail failed, gave up');
      },
    },
  });
