import { Type } from 'typebox';
import { Refusal } from '../kernel/refusal.js';
import { closed, type Routes } from '../platform/web/index.js';
import type { ServerMetrics } from './observe.js';

export interface ProbeDeps {
  readonly metrics: Pick<ServerMetrics, 'render' | 'contentType'>;
  /** False while the server starts and while it drains. */
  readonly isReady: () => boolean;
}

const TAGS = { tags: ['Server'] };
const ALIVE = { status: 'ok' } as const;
const READY = { status: 'ready' } as const;

export const probeRoutes =
  ({ metrics, isReady }: ProbeDeps): Routes =>
  (app) => {
    app.get(
      '/healthz',
      { schema: { ...TAGS, summary: 'Alive', response: { 200: closed({ status: Type.Literal('ok') }) } } },
      () => ALIVE,
    );
    app.get(
      '/readyz',
      {
        schema: {
          ...TAGS,
          summary: 'Ready for requests',
          response: { 200: closed({ status: Type.Literal('ready') }) },
        },
        config: { refuses: ['UNAVAILABLE'] },
        // Not being ready is what this one is for, not a failure to report at every probe.
        logLevel: 'silent',
      },
      () => {
        if (!isReady()) throw new Refusal('UNAVAILABLE');
        return READY;
      },
    );
    app.get(
      '/metrics',
      {
        schema: {
          ...TAGS,
          summary: 'Figures for Prometheus',
          produces: ['text/plain'],
          response: { 200: Type.String() },
        },
      },
      (_request, reply) => {
        reply.type(metrics.contentType);
        return metrics.render();
      },
    );
  };
