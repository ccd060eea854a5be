import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lastLogLines } from './daemon.js';
import { onFreePort } from '../machine/free-port.js';
import { inNewServerDirectory, type ServerDirectory } from './server-directory.js';
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
  /** Its data, log and sockets; goes when it stops. */
  readonly directory: string;
  /** `postgres://postgres@127.0.0.1:PORT/DATABASE` */
  url(database?: string): string;
  /** A fresh, empty database; answers its URL. */
  createDatabase(): Promise<string>;
  /** Runs SQL and answers the rows, one per line, columns separated by `|`. */
  psql(database: string, sql: string): Promise<string>;
  /** Ends every session but its own; answers how many. */
  terminateBackends(): Promise<number>;
  /** Shuts down if it runs, and starts again on the same data and port. */
  restart(mode?: ShutdownMode): Promise<void>;
  /** SIGKILL for all of its processes: no goodbye. `restart` brings it back. */
  kill(): Promise<void>;
  /** All of its processes stand still for so long, as when the disk does not answer. */
  freeze(ms: number): Promise<void>;
  /** Ends it, and removes everything it had. */
  stop(): Promise<void>;
}

/** A PostgreSQL server of one's own. */
export const startPostgres = (): Promise<PostgresServer> =>
  inNewServerDirectory(async (home) => {
    const auth = ['--username=postgres', '--auth=trust'];
    const locale = ['--encoding=UTF8', '--no-locale'];
    await home.run('initdb', ['-D', home.dataDirectory, ...auth, ...locale, '--no-sync']);
    await appendFile(join(home.dataDirectory, 'postgresql.conf'), SETTINGS);
    return serve(home);
  });

/** Starts PostgreSQL on the data of its home. */
export function serve(home: ServerDirectory): Promise<PostgresServer> {
  return onFreePort(async (port) => {
    const postmaster = createPostmaster(home, port);
    await postmaster.start();
    return createServer(home, port, postmaster);
  });
}

function createServer(home: ServerDirectory, port: number, postmaster: Postmaster): PostgresServer {
  const { directory } = home;
  const url = (database = 'postgres'): string => `postgres://postgres@127.0.0.1:${port}/${database}`;

  async function withItsLog<T>(work: Promise<T>): Promise<T> {
    return work.catch(async (cause: unknown) => {
      const what = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`${what}\nthe log of PostgreSQL says:\n${await lastLogLines(directory)}`, { cause });
    });
  }
  const ask = (database: string, sql: string): Promise<string> => withItsLog(psql(url(database), sql));

  return {
    port,
    directory,
    url,
    createDatabase: async () => (await withItsLog(createDatabaseAt(url()))).url,
    psql: ask,
    async terminateBackends() {
      const terminated = await ask(
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
    stop: home.remove,
  };
}
