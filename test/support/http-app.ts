import { createLogger, createServer, type ServerDeps } from '../../src/http/index.js';
import { createMetrics } from '../../src/platform/metrics/index.js';
import type { App, Routes } from '../../src/platform/web/index.js';

export interface HttpApp {
  readonly app: App;
  /** What was logged so far, line by line. */
  readonly logged: () => Record<string, unknown>[];
  readonly metrics: () => string;
}

/** The server as it is composed, with the given routes in place of the rooms'. */
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
    identify: () => ({ kind: 'access', userId: 'somebody' }),
    requireOperator: () => Promise.resolve(),
    routes,
    ...deps,
  });
  return {
    app,
    logged: () => lines.map((line): Record<string, unknown> => JSON.parse(line)),
    metrics: () => metrics.render(),
  };
}
