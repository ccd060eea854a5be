import { Type } from 'typebox';
import { parse } from '../../test/support/machine/parse.js';
import { psql, startPostgres } from '../../test/support/postgres/index.js';
import { tempDirectory } from '../../test/support/server.js';
import { createHttpClient } from '../http-client.js';
import { startProxy } from '../proxy.js';
import { COMMON_ENV, type Deployment, type Tables } from './deployment.js';
import { createFoyerProcess, type FoyerProcess, type StartServer } from './foyer-process.js';
import { writeClockSkewPreload } from './preloads.js';

const PROCESS_COUNT = 3;
const CONNECTIONS_PER_PROCESS = '8';

/** Three processes on a PostgreSQL server of their own; each connects to it through its own proxy. */
export async function createCluster(start: StartServer): Promise<Deployment> {
  const directory = await tempDirectory();
  const postgres = await startPostgres();
  const url = await postgres.createDatabase();
  const processes: FoyerProcess[] = [];
  for (let index = 0; index < PROCESS_COUNT; index += 1) {
    const databaseProxy = await startProxy();
    databaseProxy.setTarget(postgres.port);
    const proxied = new URL(url);
    proxied.port = String(databaseProxy.port);
    const env = {
      ...COMMON_ENV,
      DATABASE_URL: proxied.href,
      FOYER_DATABASE_CONNECTIONS: CONNECTIONS_PER_PROCESS,
    };
    processes.push(await createFoyerProcess(index, start, env, databaseProxy));
  }
  const clients = processes.map(({ httpProxy }) => createHttpClient(httpProxy.port));
  return {
    mode: 'cluster',
    processes,
    clients,
    tables: openTables(url),
    countDeadlocks: async () =>
      Number(await psql(url, 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()')),
    postgres,
    disk: undefined,
    clockSkewEnv: await writeClockSkewPreload(directory.path),
    async close() {
      for (const client of clients) client.close();
      await Promise.all(processes.map((each) => each.close()));
      await postgres.stop();
      await directory.remove();
    },
  };
}

const openTables = (url: string): Tables => ({
  async rows(schema, sql) {
    const json = await psql(url, `SELECT coalesce(json_agg(x), '[]') FROM (${sql}) x`);
    return parse(Type.Array(schema), JSON.parse(json) as unknown, sql);
  },
  async run(sql) {
    await psql(url, sql);
  },
});
