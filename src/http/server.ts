import { randomBytes } from 'node:crypto';
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import type { Logger } from 'pino';
import { Refusal } from '../kernel/refusal.js';
import { SECOND_MS } from '../kernel/time.js';
import type { Caller } from '../kernel/caller.js';
import type { App, Identify, Routes } from '../platform/web/index.js';
import { answerClientError } from './errors/client-errors.js';
import { docsRoutes } from './docs-page.js';
import { answerError, answerNotFound } from './errors/error-handler.js';
import { SCHEMA_OPTIONS, acceptJsonOnly } from './requests/json-body.js';
import { createRequestLog } from './observability/logging.js';
import { type FastPath, pollFastPath } from './requests/poll-fast-path.js';
import {
  observeRoutes,
  observeUnrouted,
  requestDuration,
  type ServerMetrics,
} from './observability/request-metrics.js';
import { describeApi } from './openapi/openapi.js';
import { sendNotFoundPage, type Pages, pagesRoutes } from './pages/pages.js';
import { type MetricsReaders, probeRoutes } from './observability/probes.js';
import { createAuthenticate } from './requests/authenticate.js';
import { setSecurityHeaders } from './security-headers.js';
import { createPipeliningLimit } from './requests/pipelining-limit.js';
import { createRequestBarrier } from './requests/request-barrier.js';

export interface ServerDeps {
  readonly settings: {
    /** Which proxies may say where a request came from; false: none. */
    readonly trustProxy: boolean | string | string[];
    readonly connectionsMax: number;
    readonly metrics: MetricsReaders;
  };
  readonly logger: Logger;
  readonly metrics: ServerMetrics;
  /** False while the server starts and while it drains. */
  readonly isReady: () => boolean;
  /** With other processes on the same database: resolves once this one knows what they had committed by then. */
  readonly waitForChanges?: () => Promise<void> | undefined;
  /** Who is calling; refuses when nobody can be told. Whoever has called is not idle. */
  readonly identify: Identify;
  readonly requireOperator: (caller: Caller) => Promise<unknown>;
  /** The rooms' routes, under `/api/v1`. */
  readonly routes: readonly Routes[];
  /** The call that is answered before all others. */
  readonly fastPath?: FastPath | undefined;
  /** The web pages as they were built. */
  readonly pages?: Pages | undefined;
}

const API_PREFIX = '/api/v1';
const BODY_MAX_BYTES = 64 * 1024;
const HEADERS_MAX_BYTES = 16 * 1024;
const PATH_PARAMETER_MAX_CHARS = 100;
const HEADERS_TIMEOUT_MS = 10 * SECOND_MS;
const REQUEST_TIMEOUT_MS = 15 * SECOND_MS;
/** Longer than the 60 s after which common load balancers drop an idle connection, so that we are not first. */
const KEEP_ALIVE_MS = 72 * SECOND_MS;
const TIMEOUT_CHECK_MS = SECOND_MS;

/** Short, cheap, and unlike those of another process or an earlier run. */
function requestIds(): () => string {
  const run = randomBytes(3).toString('base64url');
  let count = 0;
  return () => `${run}-${(count++).toString(36)}`;
}

export function createServer(deps: ServerDeps): App {
  const { logger, metrics } = deps;
  const app = createApp(deps);
  app.decorateRequest('caller', null);
  app.decorateReply('startedMs', 0);
  acceptJsonOnly(app);
  const door = guardEveryRequest(app, logger);
  const log = createRequestLog(logger);
  const afterBarrier = createRequestBarrier(deps.waitForChanges);
  const authentication = createAuthenticate({ ...deps, afterBarrier });
  observeRoutes(app, metrics, log);
  const observe = observeUnrouted(metrics, log);
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((request, reply) => {
    const isPerson = sendNotFoundPage(deps.pages, request, reply);
    observe(request, reply, isPerson ? 'NOT_FOUND' : answerNotFound(app, request, reply));
  });
  describeApi(app);
  // Routes come after the plugin that describes them has been loaded.
  void app.register((scope: App, _options, done) => {
    for (const addRoutes of [probeRoutes(deps), docsRoutes, pagesRoutes(deps.pages)]) addRoutes(scope);
    done();
  });
  void app.register(
    (scope: App, _options, done) => {
      scope.addHook('onRequest', authentication.authenticate);
      for (const addRoutes of deps.routes) addRoutes(scope);
      done();
    },
    { prefix: API_PREFIX },
  );
  if (deps.fastPath && !logger.isLevelEnabled('debug'))
    openExpressLane(app, metrics, deps.fastPath, {
      ...door,
      afterBarrier,
      passedBarrier: authentication.passedBarrier,
    });
  return app;
}

/** In front of the routes, on the same server. Who logs every request lets every request through the routes. */
function openExpressLane(
  app: App,
  metrics: ServerMetrics,
  express: FastPath,
  door: Pick<Parameters<typeof pollFastPath>[1], 'isOpen' | 'afterBarrier' | 'passedBarrier'>,
): void {
  const url = `${API_PREFIX}${express.path}`;
  const duration = requestDuration(metrics, { method: 'GET', route: url });
  const lane = pollFastPath(express, { url, ...door, duration }, app.routing);
  app.server.removeAllListeners('request');
  app.server.on('request', lane);
}

function createApp({ settings, logger }: ServerDeps): App {
  const app: App = Fastify({
    // Requests are logged as they are observed.
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: requestIds(),
    trustProxy: settings.trustProxy,
    bodyLimit: BODY_MAX_BYTES,
    routerOptions: { maxParamLength: PATH_PARAMETER_MAX_CHARS },
    ajv: { customOptions: SCHEMA_OPTIONS },
    http: {
      maxHeaderSize: HEADERS_MAX_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    },
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    // We say it ourselves, as a problem.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      answerError(error, request, setSecurityHeaders(reply));
    },
  }).withTypeProvider();
  app.log = logger;
  app.server.maxConnections = settings.connectionsMax;
  return app;
}

/** One hook for all: each costs every request a little. */
function guardEveryRequest(app: App, logger: FastifyBaseLogger): { readonly isOpen: () => boolean } {
  let isClosing = false;
  const exceedsPipeliningLimit = createPipeliningLimit();
  app.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  app.addHook('onRequest', (request, reply, done) => {
    // Were the logger given to Fastify, each request would have a child of it made, for 7 µs, and hardly any logs
    // anything. They share it; what is logged about a request names its `reqId`.
    request.log = logger;
    reply.log = logger;
    reply.startedMs = performance.now();
    setSecurityHeaders(reply);
    if (exceedsPipeliningLimit(request.raw.socket, reply.raw)) {
      request.raw.socket.destroy();
      throw new Refusal('TOO_MANY_REQUESTS');
    }
    // No id and no cursor holds U+0000, and PostgreSQL does not even look for it.
    if (request.url.includes('%00')) throw new Refusal('INVALID_REQUEST');
    // The connection was busy when the others were closed; its next request belongs to another server.
    if (isClosing) throw new Refusal('UNAVAILABLE');
    done();
  });
  return { isOpen: () => !isClosing };
}
