import { afterAll, beforeAll } from 'vitest';
import { type Client, createClient } from './client.js';
import type { DatabaseKind, TestDatabase } from './databases.js';
import { signInOperator } from './sale.js';
import { type StartedServer, startServer } from './server.js';
import { sharedFoyer } from './shared-foyers.js';

export interface TestFoyer extends UsedFoyer {
  /** The first of `servers`. */
  readonly server: StartedServer;
  readonly servers: readonly StartedServer[];
  /** Sends SIGTERM to all servers and returns their exit codes. */
  stop(): Promise<(number | null)[]>;
  /** Sends SIGKILL to all servers. */
  kill(): Promise<void>;
  /** Starts stopped servers again on the same data. */
  restart(): Promise<void>;
}

export interface UsedFoyer {
  readonly client: Client;
  readonly operator: string;
  /** Of the first server. */
  readonly url: string;
  readonly urls: readonly string[];
}

/**
 * Shared servers on a database that other test files have used before. Only for tests that look at nothing but their own data.
 * They exist because starting a server takes longer than most tests.
 */
export function useFoyer(kind: DatabaseKind): UsedFoyer {
  let used: UsedFoyer | undefined;
  const need = (): UsedFoyer => {
    if (used === undefined) throw new Error('the server has not started yet');
    return used;
  };
  beforeAll(async () => {
    const urls = await sharedFoyer(kind);
    const client = createClient(...urls);
    used = { client, operator: await signInOperator(client), url: urls[0] ?? '', urls };
  });
  return {
    get client() {
      return need().client;
    },
    get operator() {
      return need().operator;
    },
    get url() {
      return need().url;
    },
    get urls() {
      return need().urls;
    },
  };
}

type Settings = Readonly<Record<string, string>>;

/** Servers for this describe block only, on a fresh database. */
export function useOwnFoyer(
  kind: DatabaseKind,
  /** A function if the settings are known only when the servers start. */
  env: Settings | (() => Settings) = {},
): TestFoyer {
  let database: TestDatabase | undefined;
  let servers: readonly StartedServer[] = [];
  let client: Client | undefined;
  let operator: string | undefined;

  const need = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the server has not started yet');
    return value;
  };

  async function start(): Promise<void> {
    const all = Array.from({ length: kind.processes }, async (_, index) => {
      const running = servers[index]?.isRunning() === true ? servers[index] : undefined;
      const own = typeof env === 'function' ? env() : env;
      return running ?? startServer({ ...need(database).env, ...own });
    });
    servers = await Promise.all(all);
    client = createClient(...servers.map(({ url }) => url));
    operator = await signInOperator(client);
  }

  beforeAll(async () => {
    database = await kind.create();
    await start();
  });

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await database?.remove();
  });

  return {
    get client() {
      return need(client);
    },
    get operator() {
      return need(operator);
    },
    get server() {
      return need(servers[0]);
    },
    get servers() {
      return servers;
    },
    get url() {
      return need(servers[0]).url;
    },
    get urls() {
      return servers.map(({ url }) => url);
    },
    stop: () => Promise.all(servers.map((server) => server.stop())),
    async kill() {
      await Promise.all(servers.map((server) => server.kill()));
    },
    restart: start,
  };
}
