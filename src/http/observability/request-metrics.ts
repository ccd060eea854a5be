import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RefusalCode } from '../../kernel/refusal.js';
import { SECOND_MS } from '../../kernel/time.js';
import type { Counter, Histogram, Labels, Metrics } from '../../platform/metrics/index.js';
import type { App } from '../../platform/web/index.js';
import type { RequestLog } from './logging.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Counts a refusal of this route in the metrics. */
    readonly countRefusal?: (code: RefusalCode) => void;
  }
  interface FastifyReply {
    /** When the request arrived, by `performance.now()`. */
    startedMs: number;
  }
}

export type ServerMetrics = Pick<Metrics, 'contentType' | 'counter' | 'histogram' | 'render'>;

const DURATION_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const NO_ROUTE = 'none';

function refusalCounter(metrics: ServerMetrics, labels: Labels): (code: RefusalCode) => void {
  const counters = new Map<RefusalCode, Counter>();
  return (code) => {
    let counter = counters.get(code);
    if (!counter) {
      counter = metrics.counter('foyer_http_errors_total', 'Error responses, by code.', { ...labels, code });
      counters.set(code, counter);
    }
    counter.inc();
  };
}

export const requestDuration = (metrics: ServerMetrics, labels: Labels): Histogram =>
  metrics.histogram(
    'foyer_http_request_duration_seconds',
    'Time from receiving a request until its response is ready.',
    DURATION_BUCKETS_SECONDS,
    labels,
  );

/**
 * Measures and logs every route. Each route holds its own metric series, so a request needs no lookup. Measured in onSend,
 * when the response is ready, and not when it has been sent: that saves two listeners per request and leaves out event
 * streams, whose duration depends on the client.
 */
export function observeRoutes(app: App, metrics: ServerMetrics, log: RequestLog): void {
  app.addHook('onRoute', (route) => {
    const labels = { method: [route.method].flat().join(), route: route.url };
    const isSilent = route.logLevel === 'silent';
    let duration: Histogram | undefined;
    const observe = (
      request: FastifyRequest,
      reply: FastifyReply,
      _payload: unknown,
      done: () => void,
    ): void => {
      const ms = performance.now() - reply.startedMs;
      duration ??= requestDuration(metrics, labels);
      duration.observe(ms / SECOND_MS);
      if (!isSilent) log(request, reply, route.url, ms);
      done();
    };
    route.onSend = [...[route.onSend ?? []].flat(), observe];
    route.config = { ...route.config, countRefusal: refusalCounter(metrics, labels) };
  });
}

/** The same for requests without a route (404, 405). */
export function observeUnrouted(metrics: ServerMetrics, log: RequestLog) {
  const count = refusalCounter(metrics, { method: 'any', route: NO_ROUTE });
  return (request: FastifyRequest, reply: FastifyReply, code: RefusalCode): void => {
    count(code);
    log(request, reply, NO_ROUTE, performance.now() - reply.startedMs);
  };
}
