import { createAccounts } from '../../../src/accounts/index.js';
import { createCatalog } from '../../../src/catalog/index.js';
import { createIdentify, createRateLimits, createWrites } from '../../../src/http/index.js';
import { createOperator } from '../../../src/operator/index.js';
import { createPayments } from '../../../src/payments/index.js';
import { createJwt } from '../../../src/platform/jwt/index.js';
import { createUserQueue } from '../../../src/platform/rate-limit/index.js';
import { openSqlite } from '../../../src/platform/sql/index.js';
import { createStreamHub } from '../../../src/platform/sse/index.js';
import { createReservations } from '../../../src/reservations/index.js';
import { createSeating } from '../../../src/seating/index.js';
import { createWaitingRoom } from '../../../src/waiting-room/index.js';
import { ledger, walletRoutes } from '../../../src/wallet/index.js';
import { callHandlers, type Outcome } from '../handlers.js';

const CURRENCY = 'KRW';
const jwt = createJwt('a-secret-for-tests-only');
const nothing = (): void => undefined;

/** The modules of one process, wired as in `compose.ts`, without the HTTP server. */
export interface Engine {
  /** Calls a route. Access tokens are plain user ids. */
  call(route: string, token: string, request?: object): Promise<Outcome>;
  /** Like `call`, but does not count as activity of the user. */
  peek(route: string, token: string, request?: object): Promise<Outcome>;
  /** Runs the jobs that admit, expire and close. */
  runAdmission(): Promise<void>;
  expireHolds(): Promise<void>;
  countSeats(dateId: string): Promise<{ total: number; available: number; sold: number; held: number }>;
  close(): Promise<void>;
}

/** Starts as a server does: with empty memory, loaded from the database. */
export async function startEngine(
  file: string,
  clock: () => number,
  onError: (error: unknown) => void,
): Promise<Engine> {
  const sql = openSqlite({ file, clock, onFatal: onError });
  const hub = createStreamHub({ maxStreams: 1 });
  const limit = createRateLimits(undefined);
  const userQueue = createUserQueue();
  const { idempotently, inBatches } = createWrites({
    sql,
    requireUser: (id, reader) => accounts.requireUser(id, reader),
    userQueue,
  });
  const credentials = {
    identifyAccess: (token: string) => ({ userId: token, credentialVersion: 0, sessionId: undefined }),
    identifyPlace: (token: string) => waitingRoom.identifyPlace(token),
    nowMs: () => sql.nowMs(),
  };
  const identifyPassively = createIdentify(credentials);
  const identifyAndTouch = createIdentify({
    ...credentials,
    onCaller: ({ userId }, nowMs) => {
      waitingRoom.touchUser(userId, nowMs);
    },
  });
  const identify: typeof identifyAndTouch = (request) =>
    ('isPeek' in request ? identifyPassively : identifyAndTouch)(request);

  const accounts = createAccounts({
    sql,
    jwt,
    passwordMemoryMib: 8,
    limit,
    onSignUp: ledger.open,
    enqueueMail: () => Promise.resolve(),
    publicUrl: 'http://simulation.example',
  });
  const { requireUser, requireOperator } = accounts;
  const seating = createSeating({ sql, hub });
  const catalog = createCatalog({ sql });
  const waitingRoom = createWaitingRoom({
    sql,
    jwt,
    hub,
    concertCache: catalog.concertCache,
    requireUser,
    endedRetentionMs: 2 * 3600 * 1000,
    isRevoked: accounts.isRevoked,
    isErased: accounts.isErased,
    events: { admitted: nothing, ended: nothing },
    onPlaceEnded: seating.streams.closeFor,
    onError,
  });
  catalog.watchSoldOut({ seating, onSoldOut: waitingRoom.closing.close, onError });
  const reservations = createReservations({
    sql,
    concertCache: catalog.concertCache,
    inventories: seating.inventories,
    waitingRoom,
    onHeld: nothing,
    onHoldsExpired: nothing,
  });
  const payments = createPayments({
    sql,
    concertCache: catalog.concertCache,
    waitingRoom,
    requireUser,
    onPaid: nothing,
  });
  const operator = createOperator({
    sql,
    currency: CURRENCY,
    timeZone: 'Asia/Seoul',
    catalog,
    seating,
    waitingRoom,
    refund: payments.refund,
    onError,
  });
  const call = callHandlers(
    catalog.routes({
      seating,
      identify,
      requireActive: waitingRoom.gate.requireActive,
      hasClosed: waitingRoom.hasClosed,
      policyOf: waitingRoom.policyOf,
      limit,
    }),
    waitingRoom.routes({ identify, limit, userQueue }),
    walletRoutes({
      sql,
      currency: CURRENCY,
      identify,
      inBatches,
      walletGate: undefined,
      requireLivePlace: () => Promise.resolve(),
      limit,
    }),
    reservations.routes({
      identify,
      inBatches,
      requireUser,
      limit,
    }),
    payments.routes({ identify, inBatches, limit }),
    operator.routes({ identify, idempotently, requireOperator }),
  );
  await waitingRoom.load();

  return {
    call,
    peek: (route, token, request = {}) => call(route, token, { ...request, isPeek: true }),
    async runAdmission() {
      await waitingRoom.maintenance.admitDue();
      await waitingRoom.closing.closeDue();
      await waitingRoom.closing.closeSoldOut();
    },
    expireHolds: reservations.expireHolds,
    countSeats: async (dateId) => (await seating.inventories.of(dateId)).counts(sql.nowMs()),
    async close() {
      hub.closeAll();
      await sql.close();
    },
  };
}
