import { readFileSync } from 'node:fs';
import type { StartedServer } from '../../test/support/server.js';
import { type Proxy, startProxy } from '../proxy.js';

export type Env = Readonly<Record<string, string>>;
export type StartServer = (env: Env) => Promise<StartedServer>;

/** One Foyer process that can be killed and restarted. Clients reach it on the fixed port of its HTTP proxy. */
export interface FoyerProcess {
  readonly index: number;
  /** Between the clients and the process. */
  readonly httpProxy: Proxy;
  /** Between the process and PostgreSQL; undefined in embedded mode. */
  readonly databaseProxy: Proxy | undefined;
  /** Starts it unless it is running. `extraEnv` also applies to later starts, until another one is given. */
  start(extraEnv?: Env): Promise<void>;
  isRunning(): boolean;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  terminate(): Promise<number | null>;
  signal(name: NodeJS.Signals): void;
  /** Current resident memory; undefined where the system has no `/proc`. */
  residentBytes(): number | undefined;
  close(): Promise<void>;
}

export async function createFoyerProcess(
  index: number,
  startServer: StartServer,
  env: Env,
  databaseProxy?: Proxy,
): Promise<FoyerProcess> {
  const httpProxy = await startProxy();
  let server: StartedServer | undefined;
  let currentExtraEnv: Env = {};

  return {
    index,
    httpProxy,
    databaseProxy,
    async start(extraEnv = currentExtraEnv) {
      currentExtraEnv = extraEnv;
      if (server?.isRunning() === true) return;
      server = await startServer({ ...env, ...extraEnv });
      httpProxy.setTarget(Number(new URL(server.url).port));
    },
    isRunning: () => server?.isRunning() ?? false,
    async kill() {
      if (server?.isRunning() === true) await server.kill();
    },
    terminate: () => server?.stop() ?? Promise.resolve(null),
    signal(name) {
      if (server?.isRunning() === true) process.kill(server.pid, name);
    },
    residentBytes: () => (server ? readResidentBytes(server.pid) : undefined),
    async close() {
      if (server?.isRunning() === true) await server.kill();
      httpProxy.close();
      databaseProxy?.close();
    },
  };
}

function readResidentBytes(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}
