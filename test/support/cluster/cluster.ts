import { type Client, createClient } from '../client.js';
import { signInOperator } from '../sale.js';
import { type StartedServer, startServer } from '../server.js';

const PROCESSES = 3;

type Env = Readonly<Record<string, string>>;

/** Several identical processes on one database. */
export interface Cluster {
  readonly operator: string;
  /** Sends requests to the processes round-robin. */
  readonly client: Client;
  /** One client per process, which sends to that process only. */
  readonly clients: readonly Client[];
  readonly servers: readonly StartedServer[];
  /** Starts a process again after the test has stopped or killed it. */
  restart(index: number): Promise<void>;
  /** Everything the processes have written to standard output and error. */
  output(): string;
  /** Kills all processes with SIGKILL. */
  kill(): Promise<void>;
}

/** Starts all processes concurrently. `envOf` returns additional settings of one process. */
export async function startCluster(
  databaseUrl: string,
  envOf: (index: number) => Env = () => ({}),
): Promise<Cluster> {
  const start = (index: number): Promise<StartedServer> =>
    startServer({ DATABASE_URL: databaseUrl, FOYER_DATABASE_CONNECTIONS: '8', ...envOf(index) });
  const servers = await startAll(Array.from({ length: PROCESSES }, (_, index) => start(index)));
  const ended: StartedServer[] = [];
  let sent = 0;
  const clients = servers.map((_, index) => clientOf(() => servers[index]!.url));
  return {
    operator: await signInOperator(clients[0]!),
    client: clientOf(() => servers[(sent += 1) % servers.length]!.url),
    clients,
    servers,
    async restart(index) {
      ended.push(servers[index]!);
      servers[index] = await start(index);
    },
    output: () => [...ended, ...servers].map((server) => server.output()).join(''),
    async kill() {
      await Promise.all(servers.map((server) => server.kill()));
    },
  };
}

/** Waits for all servers. If one fails to start, kills the others. */
async function startAll(starting: readonly Promise<StartedServer>[]): Promise<StartedServer[]> {
  const started = await Promise.allSettled(starting);
  const running = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const failed = started.find((each) => each.status === 'rejected');
  if (!failed) return running;
  await Promise.all(running.map((server) => server.kill()));
  throw failed.reason;
}

/** A client that asks for the URL before every request, because a restarted process has another port. */
function clientOf(url: () => string): Client {
  const client = (): Client => createClient(url());
  return {
    call: (...args) => client().call(...args),
    get: (...args) => client().get(...args),
    post: (...args) => client().post(...args),
    delete: (...args) => client().delete(...args),
  };
}
