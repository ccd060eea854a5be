import { Type } from 'typebox';
import { parse } from '../../test/support/machine/parse.js';
import { psql, startPostgres } from '../../test/support/postgres/index.js';
import { tempDirectory } from '../../test/support/server.js';
import { openDoor } from '../door.js';
import { startProxy } from '../proxy.js';
import { wrongClocks } from './preloads.js';
import { createProcess, type Process, type Start } from './process.js';
import type { Tables, World } from './world.js';

const PROCESSES = 3;
const CONNECTIONS_EACH = '8';

/** Three processes on a PostgreSQL of our own, each with a wire of its own to it. */
export async function openCluster(start: Start): Promise<World> {
  const directory = await tempDirectory();
  const postgres = await startPostgres();
  const url = await postgres.createDatabase();
  const processes: Process[] = [];
  for (let index = 0; index < PROCESSES; index += 1) {
    const back = await startProxy();
    back.leadTo(postgres.port);
    const behind = new URL(url);
    behind.port = String(back.port);
    const env = { DATABASE_URL: behind.href, FOYER_DATABASE_CONNECTIONS: CONNECTIONS_EACH };
    processes.push(await createProcess(index, start, env, back));
  }
  const doors = processes.map(({ front }) => openDoor(front.port));
  return {
    mode: 'cluster',
    processes,
    doors,
    tables: tablesOf(url),
    postgres,
    disk: undefined,
    wrongClock: await wrongClocks(directory.path),
    async close() {
      for (const door of doors) door.close();
      await Promise.all(processes.map((each) => each.close()));
      await postgres.stop();
      await directory.remove();
    },
  };
}

const tablesOf = (url: string): Tables => ({
  async rows(schema, sql) {
    const json = await psql(url, `SELECT coalesce(json_agg(x), '[]') FROM (${sql}) x`);
    return parse(Type.Array(schema), JSON.parse(json) as unknown, sql);
  },
  async run(sql) {
    await psql(url, sql);
  },
});
