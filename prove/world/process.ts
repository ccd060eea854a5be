import { readFileSync } from 'node:fs';
import type { StartedServer } from '../../test/support/server.js';
import { type Proxy, startProxy } from '../proxy.js';

export type Env = Readonly<Record<string, string>>;
export type Start = (env: Env) => Promise<StartedServer>;

/** One Foyer that may end and come back, always behind the same door. */
export interface Process {
  readonly index: number;
  /** In front of it. */
  readonly front: Proxy;
  /** Between it and its database, where there is a wire. */
  readonly back: Proxy | undefined;
  /** Starts it, unless it runs. From then on with these settings besides its own. */
  start(special?: Env): Promise<void>;
  isRunning(): boolean;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGTERM; answers the exit code. */
  terminate(): Promise<number | null>;
  signal(name: NodeJS.Signals): void;
  /** What it keeps in memory now; undefined where the system does not say. */
  residentBytes(): number | undefined;
  output(): string;
  close(): Promise<void>;
}

export async function createProcess(
  index: number,
  startServer: Start,
  env: Env,
  back?: Proxy,
): Promise<Process> {
  const front = await startProxy();
  let server: StartedServer | undefined;
  let special: Env = {};
  let earlier = '';

  return {
    index,
    front,
    back,
    async start(settings = special) {
      special = settings;
      if (server?.isRunning() === true) return;
      earlier += server?.output() ?? '';
      server = await startServer({ ...env, ...special });
      front.leadTo(Number(new URL(server.url).port));
    },
    isRunning: () => server?.isRunning() ?? false,
    async kill() {
      if (server?.isRunning() === true) await server.kill();
    },
    terminate: () => server?.stop() ?? Promise.resolve(null),
    signal(name) {
      if (server?.isRunning() === true) process.kill(server.pid, name);
    },
    residentBytes: () => (server ? residentBytes(server.pid) : undefined),
    output: () => earlier + (server?.output() ?? ''),
    async close() {
      if (server?.isRunning() === true) await server.kill();
      front.close();
      back?.close();
    },
  };
}

function residentBytes(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}
