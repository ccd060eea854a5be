import { fileURLToPath } from 'node:url';
import { isRoot } from './identity.js';
import { run } from './run.js';

const SCRIPT = fileURLToPath(new URL('install-package.sh', import.meta.url));
const INSTALL_MAX_MS = 300_000;

/** Installs Debian packages if this process is root on a Debian system. Otherwise throws `instructions`. */
export async function installPackages(packages: readonly string[], instructions: string): Promise<void> {
  if (!isRoot()) throw new Error(instructions);
  await run('apt-get', ['--version']).catch(() => {
    throw new Error(instructions);
  });
  await run('sh', [SCRIPT, ...packages], { maxMs: INSTALL_MAX_MS }).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${instructions} Installing it failed: ${reason}`, { cause });
  });
}
