import { join } from 'node:path';
import { findBinaries } from './binaries.js';
import { createSelfCleaningDirectory } from './self-cleaning-directory.js';
import { unprivilegedUser } from '../machine/identity.js';
import { type Identity, run } from '../machine/run.js';

// A postmaster that was killed leaves its small System V segment behind, and nobody to come back for it.
const ENDING = `
pid="$1/data/postmaster.pid"
[ ! -f "$pid" ] || "$2/pg_ctl" stop -D "$1/data" -m immediate -t 10 || kill -KILL "$(head -n 1 "$pid")"
[ ! -f "$pid" ] || ipcrm -m "$(sed -n '7s/.* //p' "$pid")"`;

/** Where one PostgreSQL server lives: its programs, its user, its directory. */
export interface ServerDirectory {
  readonly directory: string;
  readonly dataDirectory: string;
  readonly identity: Identity;
  program(name: string): string;
  /** Runs one of PostgreSQL's programs as the server's user. */
  run(name: string, args: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

async function createServerDirectory(): Promise<ServerDirectory> {
  const binaries = await findBinaries();
  const identity = await unprivilegedUser();
  const { path, remove } = await createSelfCleaningDirectory({
    identity,
    ending: { script: ENDING, args: [binaries] },
  });
  const program = (name: string): string => join(binaries, name);
  return {
    directory: path,
    dataDirectory: join(path, 'data'),
    identity,
    program,
    run: (name, args) => run(program(name), args, { identity, directory: path }),
    remove,
  };
}

/** Moves in; when that fails, leaves nothing behind. */
export async function inNewServerDirectory<T>(moveIn: (home: ServerDirectory) => Promise<T>): Promise<T> {
  const home = await createServerDirectory();
  try {
    return await moveIn(home);
  } catch (error) {
    await home.remove();
    throw error;
  }
}
