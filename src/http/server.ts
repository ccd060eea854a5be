/**
 * The HTTP server: assembles Fastify with everything that applies to all requests, and mounts the modules' routes.
 *
 * A request under `/api/v1` passes, in this order: pipelining limit and shutdown check, authentication, request barrier,
 * schema validation, handler. Every error becomes an RFC 9457 problem (errors/). The fast path answers frequent polls in front of
 * Fastify and must give the same responses, metrics and log lines as the route.
 *
 * States: open, then closing (from `app.close()`). While closing, requests in flight finish and new ones are refused with
 * UNAVAILABLE. The server contains no business rules and must never show an unexpected error, a query string or a token to a
 * client or in the log.
 */
import { randomBytes } from 'node:crypto';
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import type { Logger } from 'pino';
import { Refusal } from '../kernel/refusal.js';
import { SECOND_MS } from '../kernel/time.js';
import type { Caller } from '../kernel/caller.js';
import { API_PREFIX, type App, type Identify, type Routes } from '../platform/web/index.js';
import { answerClientError } from './errors/client-errors.js';
import { answerError, answerNotFound } from './errors/error-handler.js';
import { SCHEMA_OPTIONS, acceptJsonOnly } from './requests/json-body.js';
import { createRequestLog } from './observability/logging.js';
import { createFastPathListener, type FastPath } from './requests/poll-fast-path.js';
import {
  observeRoutes,
  observeUnrouted,
  requestDuration,
  type ServerMetrics,
} from './observability/request-metrics.js';
import { describeApi } from './openapi/openapi.js';
import type { Pages } from './pages/page-files.js';
import { type PageHead, pagesRoutes, sendNotFoundPage } from './pages/pages.js';
import { type MetricsReaders, probeRoutes } from './observability/probes.js';
import { createAuthenticate, type FindDenial } from './requests/authenticate.js';
import { setSecurityHeaders } from './security-headers.js';
import { createPipeliningLimit } from './requests/pipelining-limit.js';
import { createRequestBarrier } from './requests/request-barrier.js';

export interface ServerDeps {
  readonly settings: {
    /** Proxies whose X-Forwarded-For header is trusted; false: none. */
    readonly trustProxy: boolean | string | string[];
    readonly connectionsMax: number;
    readonly metrics: MetricsReaders;
  };
  readonly logger: Logger;
  readonly metrics: ServerMetrics;
  /** False during startup and drain. */
  readonly isReady: () => boolean;
  /** With several processes: resolves when this one has applied everything that was committed before the call. */
  readonly waitForChanges?: () => Promise<void> | undefined;
  readonly identify: Identify;
  readonly findDenial: FindDenial;
  readonly requireOperator: (caller: Caller) => Promise<unknown>;
  readonly onCallerPassed?: (caller: Caller) => void;
  /** The modules' routes, under `/api/v1`. */
  readonly routes: readonly Routes[];
  readonly fastPath?: FastPath | undefined;
  /** The built web pages; undefined: API only. */
  readonly pages?: Pages | undefined;
  readonly pageHead: PageHead;
}

const BODY_MAX_BYTES = 64 * 1024;
const HEADERS_MAX_BYTES = 16 * 1024;
const PATH_PARAMETER_MAX_CHARS = 100;
const HEADERS_TIMEOUT_MS = 10 * SECOND_MS;
const REQUEST_TIMEOUT_MS = 15 * SECOND_MS;
/** Longer than the 60 s of common load balancers: if Foyer closed first, a request in transit could be lost. */
const KEEP_ALIVE_MS = 72 * SECOND_MS;
const TIMEOUT_CHECK_MS = SECOND_MS;

/** Short ids that are unique across processes and restarts. */
function createRequestIds(): () => string {
  const run = randomBytes(3).toString('base64url');
  let count = 0;
  return () => `${run}-${(count++).toString(36)}`;
}

export function createServer(deps: ServerDeps): App {
  const { logger, metrics } = deps;
  const nextRequestId = createRequestIds();
  const app = createApp(deps, nextRequestId);
  app.decorateRequest('caller', null);
  app.decorateReply('startedMs', 0);
  acceptJsonOnly(app);
  const isOpen = addRequestGuards(app, logger);
  const log = createRequestLog(logger);
  const afterBarrier = createRequestBarrier(deps.waitForChanges);
  const authentication = createAuthenticate({ ...deps, afterBarrier });
  observeRoutes(app, metrics, log);
  const observe = observeUnrouted(metrics, log);
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((request, reply) => {
    const isPage = sendNotFoundPage(deps.pages, request, reply);
    observe(request, reply, isPage ? 'NOT_FOUND' : answerNotFound(app, request, reply));
  });
  describeApi(app);
  // Registered after the OpenAPI plugin, which describes only routes that are added later.
  void app.register((scope: App, _options, done) => {
    for (const addRoutes of [probeRoutes(deps), pagesRoutes(deps.pages, deps.pageHead)]) addRoutes(scope);
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
  if (deps.fastPath) {
    const url = `${API_PREFIX}${deps.fastPath.path}`;
    const duration = requestDuration(metrics, { method: 'GET', route: url });
    const { passedBarrier } = authentication;
    const listener = createFastPathListener(
      deps.fastPath,
      { url, isOpen, afterBarrier, passedBarrier, duration, log, nextRequestId },
      app.routing,
    );
    app.server.removeAllListeners('request');
    app.server.on('request', listener);
  }
  return app;
}

function createApp({ settings, logger }: ServerDeps, nextRequestId: () => string): App {
  const app: App = Fastify({
    // createRequestLog writes the request log.
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: nextRequestId,
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
    // addRequestGuards answers with a problem instead.
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

/** Adds one hook with all checks, because every hook costs time per request. Returns whether the server is still open. */
function addRequestGuards(app: App, logger: FastifyBaseLogger): () => boolean {
  let isClosing = false;
  const exceedsPipeliningLimit = createPipeliningLimit();
  app.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  app.addHook('onRequest', (request, reply, done) => {
    // Fastify would create a child logger for each request (7 µs). All requests share one logger instead, and log lines
    // about a request contain its `reqId`.
    request.log = logger;
    reply.log = logger;
    reply.startedMs = performance.now();
    setSecurityHeaders(reply);
    if (exceedsPipeliningLimit(request.raw.socket, reply.raw)) {
      reply.header('connection', 'close');
      throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: 1 });
    }
    // No valid id or cursor contains U+0000, and PostgreSQL rejects it in parameters.
    if (request.url.includes('%00')) throw new Refusal('INVALID_REQUEST');
    // A connection that was busy when idle ones were closed: its next request must go to another process.
    if (isClosing) throw new Refusal('UNAVAILABLE');
    done();
  });
  return () => !isClosing;
}
