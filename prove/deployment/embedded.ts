import { execFile } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { Type } from 'typebox';
import { parse } from '../../test/support/machine/parse.js';
import { tempDirectory } from '../../test/support/server.js';
import { createHttpClient } from '../http-client.js';
import { COMMON_ENV, type Deployment, type Disk, type Tables } from './deployment.js';
import { createFoyerProcess, type StartServer } from './foyer-process.js';
import { writeClockSkewPreload, writeSlowCommitPreload } from './preloads.js';

const run = promisify(execFile);
const DISK_MEGABYTES = 256;
const FILL_CHUNK = Buffer.alloc(1024 * 1024);
const BUSY_MAX_MS = 10_000;

/** One process with embedded SQLite, on a tmpfs of limited size if this machine allows mounting one. */
export async function createEmbedded(start: StartServer): Promise<Deployment> {
  const directory = await tempDirectory();
  const data = await tempDirectory();
  const slowCommit = await writeSlowCommitPreload(directory.path);
  const isLimited = await run('mount', [
    '-t',
    'tmpfs',
    '-o',
    `size=${DISK_MEGABYTES}m,mode=700`,
    'foyer-prove',
    data.path,
  ]).then(
    () => true,
    () => false,
  );
  const foyer = await createFoyerProcess(0, start, {
    ...COMMON_ENV,
    FOYER_DATA_DIR: data.path,
    ...slowCommit.env,
  });
  const client = createHttpClient(foyer.httpProxy.port);
  return {
    mode: 'embedded',
    processes: [foyer],
    clients: [client],
    tables: openTables(join(data.path, 'foyer.db')),
    countDeadlocks: () => Promise.resolve(0),
    postgres: undefined,
    disk: createDisk(data.path, isLimited, slowCommit.setCommitDelay),
    clockSkewEnv: await writeClockSkewPreload(directory.path),
    async close() {
      client.close();
      await foyer.close();
      if (isLimited) await run('umount', [data.path]);
      await data.remove();
      await directory.remove();
    },
  };
}

function createDisk(directory: string, isLimited: boolean, setCommitDelay: Disk['setCommitDelay']): Disk {
  const fillFile = join(directory, 'filling');
  return {
    setCommitDelay,
    fill: isLimited
      ? async () => {
          const file = await open(fillFile, 'w');
          try {
            for (;;) await file.write(FILL_CHUNK);
          } catch (error) {
            if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
          } finally {
            await file.close();
          }
        }
      : undefined,
    free: () => rm(fillFile, { force: true }),
  };
}

function openTables(path: string): Tables {
  const withDatabase = <T>(work: (database: Database.Database) => T): T => {
    const database = new Database(path, { fileMustExist: true, timeout: BUSY_MAX_MS });
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  return {
    rows: (schema, sql) =>
      Promise.resolve(
        withDatabase((database) => parse(Type.Array(schema), database.prepare(sql).all(), sql)),
      ),
    run(sql) {
      withDatabase((database) => database.exec(sql));
      return Promise.resolve();
    },
  };
}
