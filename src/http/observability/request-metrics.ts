import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RefusalCode } from '../../kernel/refusal.js';
import { SECOND_MS } from '../../kernel/time.js';
import type { Counter, Histogram, Labels, Metrics } from '../../platform/metrics/index.js';
import type { App } from '../../platform/web/index.js';
import type { RequestLog } from './logging.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Counts a refusal of this route. */
    readonly countRefusal?: (code: RefusalCode) => void;
  }
  interface FastifyReply {
    /** When the request came, by `performance.now()`. */
    startedMs: number;
  }
}

/** What the server asks of the metrics. */
export type ServerMetrics = Pick<Metrics, 'contentType' | 'counter' | 'histogram' | 'render'>;

const DURATION_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const NO_ROUTE = 'none';

function refusalCounter(metrics: ServerMetrics, labels: Labels): (code: RefusalCode) => void {
  const counters = new Map<RefusalCode, Counter>();
  return (code) => {
    let counter = counters.get(code);
    if (!counter) {
      counter = metrics.counter('foyer_http_errors_total', 'Refusals answered, by code.', {
        ...labels,
        code,
      });
      counters.set(code, counter);
    }
    counter.inc();
  };
}

export const requestDuration = (metrics: ServerMetrics, labels: Labels): Histogram =>
  metrics.histogram(
    'foyer_http_request_duration_seconds',
    'Time from the arrival of a request until its answer was ready.',
    DURATION_BUCKETS_SECONDS,
    labels,
  );

/**
 * Times and logs the answers of every route. Each route closes over its own series, so that a request finds them without a
 * look-up. Done when an answer is ready rather than when it has left, which spares every request two listeners and leaves
 * out the event streams, whose duration says nothing about us.
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

/** The same for answers that no route gives. */
export function observeUnrouted(metrics: ServerMetrics, log: RequestLog) {
  const count = refusalCounter(metrics, { method: 'any', route: NO_ROUTE });
  return (request: FastifyRequest, reply: FastifyReply, code: RefusalCode): void => {
    count(code);
    log(request, reply, NO_ROUTE, performance.now() - reply.startedMs);
  };
}
