import { BlockList } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Refusal } from '../../kernel/refusal.js';
import { closed, type Routes } from '../../platform/web/index.js';
import type { ServerMetrics } from './request-metrics.js';

/** Who may read `/metrics`: local programs, every client, or no one. */
export type MetricsReaders = 'local' | 'on' | 'off';

export interface ProbeDeps {
  readonly settings: { readonly metrics: MetricsReaders };
  readonly metrics: Pick<ServerMetrics, 'render' | 'contentType'>;
  /** False during startup and drain. */
  readonly isReady: () => boolean;
}

const TAGS = { tags: ['Server'] };
const ALIVE = { status: 'ok' } as const;
const READY = { status: 'ready' } as const;

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** A proxy on this machine also connects from a loopback address. These headers show that it forwards a request. */
const FORWARDING_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

function isLocal({ raw }: FastifyRequest): boolean {
  const address = raw.socket.remoteAddress ?? '';
  // The socket's address, not the one of a trusted proxy's header. BlockList also matches IPv4-mapped IPv6 addresses.
  const isLoopback = LOOPBACK.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
  return isLoopback && !FORWARDING_HEADERS.some((name) => raw.headers[name] !== undefined);
}

export const probeRoutes =
  ({ settings, metrics, isReady }: ProbeDeps): Routes =>
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
        // A 503 is the normal answer during startup and drain, not a failure to log at every probe.
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
        config: { refuses: ['NOT_FOUND'] },
      },
      (request, reply) => {
        const mayRead = settings.metrics === 'on' || (settings.metrics === 'local' && isLocal(request));
        if (!mayRead) throw new Refusal('NOT_FOUND');
        reply.type(metrics.contentType);
        return metrics.render();
      },
    );
  };
