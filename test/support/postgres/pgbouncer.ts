import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findPgBouncer } from './binaries.js';
import { startDaemon } from './daemon.js';
import { onFreePort } from '../machine/free-port.js';
import { createSelfCleaningDirectory } from './self-cleaning-directory.js';
import { unprivilegedUser } from '../machine/identity.js';
import { psql } from './psql.js';

const STOP_SCRIPT = '[ ! -f "$1/pid" ] || kill -KILL "$(cat "$1/pid")"';

export interface PgBouncer {
  /** The URL of the same database through PgBouncer. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts PgBouncer in front of one database, in transaction mode: each transaction may get another session. */
export async function startPgBouncer(databaseUrl: string): Promise<PgBouncer> {
  const program = await findPgBouncer();
  const identity = await unprivilegedUser();
  const { path, remove } = await createSelfCleaningDirectory({
    identity,
    stop: { script: STOP_SCRIPT, args: [] },
  });
  try {
    const url = await onFreePort(async (port) => {
      const pooled = new URL(databaseUrl);
      pooled.host = `127.0.0.1:${port}`;
      await writeFile(join(path, 'ini'), settings(new URL(databaseUrl), port, path));
      const daemon = await startDaemon(program, [join(path, 'ini')], { directory: path, identity });
      await daemon.waitUntilReady(() => acceptsQueries(pooled.href));
      return pooled.href;
    });
    return { url, stop: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

function settings(database: URL, port: number, directory: string): string {
  const name = decodeURIComponent(database.pathname.slice(1));
  const password = database.password === '' ? '' : ` password=${decodeURIComponent(database.password)}`;
  const server = `host=${database.hostname} port=${database.port || 5432}`;
  const user = `user=${decodeURIComponent(database.username)}${password}`;
  return `
[databases]
${name} = ${server} dbname=${name} ${user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 500
default_pool_size = 20
pidfile = ${join(directory, 'pid')}
`;
}

const acceptsQueries = (url: string): Promise<boolean> =>
  psql(url, 'SELECT 1').then(
    () => true,
    () => false,
  );
