import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnv, type Identity } from '../machine/run.js';
import { withTimeout } from '../machine/wait.js';

export interface SelfCleaningDirectory {
  readonly path: string;
  /** Stops the server in it, then removes it. */
  remove(): Promise<void>;
}

interface DirectoryOptions {
  readonly identity: Identity;
  /** A shell script that stops the server in the directory `$1`; it gets `args` as `$2` and following. */
  readonly stop: { readonly script: string; readonly args: readonly string[] };
}

/**
 * A temporary directory for a server. A watchdog shell waits until this process exits or closes the pipe to it, then stops the
 * server and removes the directory. Exit hooks are not enough: Vitest kills its workers with signals.
 */
export async function createSelfCleaningDirectory({
  identity,
  stop,
}: DirectoryOptions): Promise<SelfCleaningDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'foyer-postgres-'));
  if (identity.uid !== undefined && identity.gid !== undefined) {
    await chown(path, identity.uid, identity.gid);
  }
  const script = `read -r _\n${stop.script}\nrm -rf -- "$1"`;
  const watchdog = spawn('sh', ['-c', script, 'foyer-watchdog', path, ...stop.args], {
    env: cleanEnv(path),
    cwd: '/',
    // In its own process group, so that Ctrl-C does not stop the watchdog.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    ...identity,
  });
  watchdog.unref();
  if (watchdog.stdin instanceof Socket) watchdog.stdin.unref();
  await once(watchdog, 'spawn');
  const exited = once(watchdog, 'exit');
  return {
    path,
    async remove() {
      watchdog.stdin.end();
      await withTimeout(`removing ${path}`, exited);
    },
  };
}
