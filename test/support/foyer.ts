import { afterAll, beforeAll } from 'vitest';
import { type Client, createClient } from './client.js';
import type { DatabaseKind, TestDatabase } from './databases.js';
import { signInOperator } from './sale.js';
import { type StartedServer, startServer } from './server.js';
import { sharedFoyer } from './shared-foyers.js';

export interface TestFoyer extends UsedFoyer {
  /** The first of them. */
  readonly server: StartedServer;
  readonly servers: readonly StartedServer[];
  /** SIGTERM to all; answers their exit codes. */
  stop(): Promise<(number | null)[]>;
  /** SIGKILL to all. */
  kill(): Promise<void>;
  /** Starts the servers again on the same data, after the test has ended it. */
  restart(): Promise<void>;
}

/** What is the same for everybody: its calls, wherever they go. */
export interface UsedFoyer {
  readonly client: Client;
  readonly operator: string;
  /** Of the first of the servers. */
  readonly url: string;
  readonly urls: readonly string[];
}

/**
 * Servers for a whole describe block, on a database of the given kind that other tests have used before: for whatever
 * looks only at what it made itself. Starting a server takes longer than most tests.
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

/** Servers of one's own for a whole describe block, on a fresh database of the given kind. */
export function useOwnFoyer(kind: DatabaseKind, env: Readonly<Record<string, string>> = {}): TestFoyer {
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
      return running ?? startServer({ ...need(database).env, ...env });
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
