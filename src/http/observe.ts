import type { FastifyReply } from 'fastify';
import type { RefusalCode } from '../kernel/refusal.js';
import { SECOND_MS } from '../kernel/time.js';
import type { Counter, Histogram, Labels, Metrics } from '../platform/metrics/index.js';
import type { App } from '../platform/web/index.js';

/** What the server asks of the metrics. */
export type ServerMetrics = Pick<Metrics, 'contentType' | 'counter' | 'histogram' | 'render'>;

const DURATION_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const UNKNOWN_ROUTE = { method: 'any', route: 'none' };

/** An answer without a length lasts as long as its reader stays: its duration says nothing about us. */
export const isStreamed = (reply: FastifyReply): boolean =>
  !reply.hasHeader('content-length') && reply.statusCode !== 204 && reply.statusCode !== 304;

type Count = (code: RefusalCode) => void;

function refusalCounts(metrics: ServerMetrics, labels: Labels): Count {
  const counters = new Map<RefusalCode, Counter>();
  return (code) => {
    let counter = counters.get(code);
    if (!counter) {
      counter = metrics.counter('foyer_http_refusals_total', 'Refusals answered, by code.', {
        ...labels,
        code,
      });
      counters.set(code, counter);
    }
    counter.inc();
  };
}

/**
 * Measures every route. Each route closes over its own series, so that a request finds them without a look-up.
 * Answers how to count the refusals that no route gives.
 */
export function observeRoutes(app: App, metrics: ServerMetrics): Count {
  app.addHook('onRoute', (route) => {
    const labels = { method: [route.method].flat().join(), route: route.url };
    const count = refusalCounts(metrics, labels);
    let duration: Histogram | undefined;
    const observe = (_request: unknown, reply: FastifyReply, done: () => void): void => {
      if (reply.refusalCode !== null) count(reply.refusalCode);
      if (!isStreamed(reply)) {
        duration ??= metrics.histogram(
          'foyer_http_request_duration_seconds',
          'Time from the arrival of a request to the end of its answer.',
          DURATION_BUCKETS_SECONDS,
          labels,
        );
        duration.observe(reply.elapsedTime / SECOND_MS);
      }
      done();
    };
    route.onResponse = [...[route.onResponse ?? []].flat(), observe];
  });
  return refusalCounts(metrics, UNKNOWN_ROUTE);
}
