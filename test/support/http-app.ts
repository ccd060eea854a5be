import { createLogger, createServer, type ServerDeps } from '../../src/http/index.js';
import { createMetrics } from '../../src/platform/metrics/index.js';
import type { App, Routes } from '../../src/platform/web/index.js';

export interface HttpApp {
  readonly app: App;
  /** The log lines so far. */
  readonly logged: () => Record<string, unknown>[];
  readonly metrics: () => string;
}

/** The real HTTP server with the given routes instead of the modules' routes. */
export function createHttpApp(
  routes: readonly Routes[],
  { level = 'warn', ...deps }: Partial<ServerDeps> & { readonly level?: string } = {},
): HttpApp {
  const lines: string[] = [];
  const metrics = createMetrics();
  const app = createServer({
    settings: { trustProxy: false, connectionsMax: 100, metrics: 'local' },
    logger: createLogger({ level, stream: { write: (line) => lines.push(line) } }),
    metrics,
    isReady: () => true,
    identify: () => ({ kind: 'access', userId: 'user-1', credentialVersion: 0, sessionId: undefined }),
    findDenial: () => undefined,
    requireOperator: () => Promise.resolve(),
    routes,
    pageHead: {
      publicUrl: 'https://foyer.example',
      isDemo: false,
      findConcert: () => Promise.resolve(undefined),
    },
    ...deps,
  });
  return {
    app,
    logged: () => lines.map((line): Record<string, unknown> => JSON.parse(line)),
    metrics: () => metrics.render(),
  };
}
