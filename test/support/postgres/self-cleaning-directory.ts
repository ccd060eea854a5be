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
  /** Ends what runs in it, then removes it. */
  remove(): Promise<void>;
}

interface Inhabitant {
  readonly identity: Identity;
  /** Shell that ends what runs in the directory `$1`, given `ending.args` as `$2` and on. */
  readonly ending: { readonly script: string; readonly args: readonly string[] };
}

/**
 * A temporary directory for a server. A small shell waits beside it for the end of this process, however it comes
 * (Vitest ends its workers by signals, and no hook of Node.js survives those), then ends the server and cleans up.
 */
export async function createSelfCleaningDirectory({
  identity,
  ending,
}: Inhabitant): Promise<SelfCleaningDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'foyer-postgres-'));
  if (identity.uid !== undefined && identity.gid !== undefined) {
    await chown(path, identity.uid, identity.gid);
  }
  const script = `read -r _\n${ending.script}\nrm -rf -- "$1"`;
  const guard = spawn('sh', ['-c', script, 'foyer-guard', path, ...ending.args], {
    env: cleanEnv(path),
    cwd: '/',
    // Away from the terminal: Ctrl-C is not for the guard.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    ...identity,
  });
  guard.unref();
  if (guard.stdin instanceof Socket) guard.stdin.unref();
  await once(guard, 'spawn');
  const gone = once(guard, 'exit');
  return {
    path,
    async remove() {
      guard.stdin.end();
      await withTimeout(`removing ${path}`, gone);
    },
  };
}
