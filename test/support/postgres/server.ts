import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readLastLogLines } from './daemon.js';
import { onFreePort } from '../machine/free-port.js';
import { inNewInstance, type PostgresInstance } from './instance.js';
import { createPostmaster, type Postmaster, type ShutdownMode } from './postmaster.js';
import { createDatabaseAt, psql } from './psql.js';

// Durable as in production: fsync and synchronous_commit keep their defaults.
const SETTINGS = `
listen_addresses = '127.0.0.1'
max_connections = 200
shared_buffers = '128MB'
log_min_messages = warning
wal_level = replica
max_wal_senders = 5
wal_keep_size = '256MB'
hot_standby = on
`;

export interface PostgresServer {
  readonly port: number;
  /** Contains its data, log and sockets; `stop` removes it. */
  readonly directory: string;
  /** `postgres://postgres@127.0.0.1:PORT/DATABASE` */
  url(database?: string): string;
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>;
  /** Runs SQL and returns the rows, one per line, columns separated by `|`. */
  psql(database: string, sql: string): Promise<string>;
  /** Ends every other session and returns how many there were. */
  terminateBackends(): Promise<number>;
  /** Shuts it down if it is running, and starts it again on the same data and port. */
  restart(mode?: ShutdownMode): Promise<void>;
  /** Kills all of its processes with SIGKILL. `restart` starts it again. */
  kill(): Promise<void>;
  /** Suspends all of its processes for `ms`, as if the disk did not respond. */
  freeze(ms: number): Promise<void>;
  /** Stops it and removes its directory. */
  stop(): Promise<void>;
}

/** Starts a new PostgreSQL server for the caller alone. */
export const startPostgres = (): Promise<PostgresServer> =>
  inNewInstance(async (instance) => {
    const auth = ['--username=postgres', '--auth=trust'];
    const locale = ['--encoding=UTF8', '--no-locale'];
    await instance.run('initdb', ['-D', instance.dataDirectory, ...auth, ...locale, '--no-sync']);
    await appendFile(join(instance.dataDirectory, 'postgresql.conf'), SETTINGS);
    return startServerIn(instance);
  });

/** Starts PostgreSQL on the data of this instance. */
export function startServerIn(instance: PostgresInstance): Promise<PostgresServer> {
  return onFreePort(async (port) => {
    const postmaster = createPostmaster(instance, port);
    await postmaster.start();
    return createServer(instance, port, postmaster);
  });
}

function createServer(instance: PostgresInstance, port: number, postmaster: Postmaster): PostgresServer {
  const { directory } = instance;
  const url = (database = 'postgres'): string => `postgres://postgres@127.0.0.1:${port}/${database}`;

  async function withLogOnError<T>(work: Promise<T>): Promise<T> {
    return work.catch(async (cause: unknown) => {
      const what = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`${what}\nthe log of PostgreSQL says:\n${await readLastLogLines(directory)}`, {
        cause,
      });
    });
  }
  const runSql = (database: string, sql: string): Promise<string> => withLogOnError(psql(url(database), sql));

  return {
    port,
    directory,
    url,
    createDatabase: async () => (await withLogOnError(createDatabaseAt(url()))).url,
    psql: runSql,
    async terminateBackends() {
      const terminated = await runSql(
        'postgres',
        `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
         WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
      );
      return Number(terminated);
    },
    async restart(mode = 'fast') {
      await postmaster.shutDown(mode);
      await postmaster.start();
    },
    kill: postmaster.kill,
    freeze: postmaster.freeze,
    stop: instance.remove,
  };
}
