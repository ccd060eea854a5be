import { execFile } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { Type } from 'typebox';
import { parse } from '../../test/support/machine/parse.js';
import { tempDirectory } from '../../test/support/server.js';
import { openDoor } from '../door.js';
import { slowCommits, wrongClocks } from './preloads.js';
import { createProcess, type Start } from './process.js';
import type { Disk, Tables, World } from './world.js';

const run = promisify(execFile);
const DISK_MEGABYTES = 256;
const FILLING = Buffer.alloc(1024 * 1024);
const BUSY_MAX_MS = 10_000;

/** One process with SQLite inside, on a disk of limited size where the system lets us have one. */
export async function openEmbedded(start: Start): Promise<World> {
  const directory = await tempDirectory();
  const data = await tempDirectory();
  const commits = await slowCommits(directory.path);
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
  const foyer = await createProcess(0, start, { FOYER_DATA_DIR: data.path, ...commits.env });
  const door = openDoor(foyer.front.port);
  return {
    mode: 'embedded',
    processes: [foyer],
    doors: [door],
    tables: tablesOf(join(data.path, 'foyer.db')),
    postgres: undefined,
    disk: diskAt(data.path, isLimited, commits.stall),
    wrongClock: await wrongClocks(directory.path),
    async close() {
      door.close();
      await foyer.close();
      if (isLimited) await run('umount', [data.path]);
      await data.remove();
      await directory.remove();
    },
  };
}

function diskAt(directory: string, isLimited: boolean, stall: Disk['stall']): Disk {
  const filling = join(directory, 'filling');
  return {
    stall,
    fill: isLimited
      ? async () => {
          const file = await open(filling, 'w');
          try {
            for (;;) await file.write(FILLING);
          } catch (error) {
            if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
          } finally {
            await file.close();
          }
        }
      : undefined,
    free: () => rm(filling, { force: true }),
  };
}

function tablesOf(path: string): Tables {
  const using = <T>(work: (database: Database.Database) => T): T => {
    const database = new Database(path, { fileMustExist: true, timeout: BUSY_MAX_MS });
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  return {
    rows: (schema, sql) =>
      Promise.resolve(using((database) => parse(Type.Array(schema), database.prepare(sql).all(), sql))),
    run(sql) {
      using((database) => database.exec(sql));
      return Promise.resolve();
    },
  };
}
