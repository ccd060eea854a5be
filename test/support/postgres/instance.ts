import { join } from 'node:path';
import { findBinaries } from './binaries.js';
import { createSelfCleaningDirectory } from './self-cleaning-directory.js';
import { unprivilegedUser } from '../machine/identity.js';
import { type Identity, run } from '../machine/run.js';

// The last line removes the System V shared memory segment that a killed postmaster leaves behind.
const STOP_SCRIPT = `
pid="$1/data/postmaster.pid"
[ ! -f "$pid" ] || "$2/pg_ctl" stop -D "$1/data" -m immediate -t 10 || kill -KILL "$(head -n 1 "$pid")"
[ ! -f "$pid" ] || ipcrm -m "$(sed -n '7s/.* //p' "$pid")"`;

/** The directory of one PostgreSQL server, the user it runs as, and the programs to run on it. */
export interface PostgresInstance {
  readonly directory: string;
  readonly dataDirectory: string;
  readonly identity: Identity;
  program(name: string): string;
  /** Runs one of PostgreSQL's programs as the server's user. */
  run(name: string, args: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

async function createInstance(): Promise<PostgresInstance> {
  const binaries = await findBinaries();
  const identity = await unprivilegedUser();
  const { path, remove } = await createSelfCleaningDirectory({
    identity,
    stop: { script: STOP_SCRIPT, args: [binaries] },
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

/** Creates an instance and passes it to `start`. Removes it if `start` fails. */
export async function inNewInstance<T>(start: (instance: PostgresInstance) => Promise<T>): Promise<T> {
  const instance = await createInstance();
  try {
    return await start(instance);
  } catch (error) {
    await instance.remove();
    throw error;
  }
}
