import { type Client, createClient } from '../client.js';
import { signInOperator } from '../sale.js';
import { type StartedServer, startServer } from '../server.js';

const PROCESSES = 3;

type Env = Readonly<Record<string, string>>;

/** Several identical processes on one database. */
export interface Cluster {
  readonly operator: string;
  /** Calls go to one process after another. */
  readonly client: Client;
  /** One for each process, which sends to that one alone. */
  readonly clients: readonly Client[];
  readonly servers: readonly StartedServer[];
  /** Starts a process again, after the test has ended it. */
  restart(index: number): Promise<void>;
  /** Everything they have written to standard output and error. */
  output(): string;
  /** No goodbye: for the end of a test. */
  kill(): Promise<void>;
}

/** Starts them all at once. `envOf` is what is special about one of them. */
export async function startCluster(
  databaseUrl: string,
  envOf: (index: number) => Env = () => ({}),
): Promise<Cluster> {
  const start = (index: number): Promise<StartedServer> =>
    startServer({ DATABASE_URL: databaseUrl, FOYER_DATABASE_CONNECTIONS: '8', ...envOf(index) });
  const servers = await startAll(Array.from({ length: PROCESSES }, (_, index) => start(index)));
  const ended: StartedServer[] = [];
  let turn = 0;
  const clients = servers.map((_, index) => clientOf(() => servers[index]!.url));
  return {
    operator: await signInOperator(clients[0]!),
    client: clientOf(() => servers[(turn += 1) % servers.length]!.url),
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

/** All of them, or none that is left running. */
async function startAll(starting: readonly Promise<StartedServer>[]): Promise<StartedServer[]> {
  const started = await Promise.allSettled(starting);
  const running = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const failed = started.find((each) => each.status === 'rejected');
  if (!failed) return running;
  await Promise.all(running.map((server) => server.kill()));
  throw failed.reason;
}

/** A process that was started again has another address. */
function clientOf(url: () => string): Client {
  const client = (): Client => createClient(url());
  return {
    call: (...args) => client().call(...args),
    get: (...args) => client().get(...args),
    post: (...args) => client().post(...args),
    delete: (...args) => client().delete(...args),
  };
}
