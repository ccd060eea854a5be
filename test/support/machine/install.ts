import { fileURLToPath } from 'node:url';
import { isRoot } from './identity.js';
import { run } from './run.js';

const SCRIPT = fileURLToPath(new URL('install-package.sh', import.meta.url));
const INSTALL_MAX_MS = 300_000;

/** Installs what a test needs where that is possible: as root, on a Debian. Otherwise throws what to do. */
export async function installPackages(packages: readonly string[], whatToDo: string): Promise<void> {
  if (!isRoot()) throw new Error(whatToDo);
  await run('apt-get', ['--version']).catch(() => {
    throw new Error(whatToDo);
  });
  await run('sh', [SCRIPT, ...packages], { maxMs: INSTALL_MAX_MS }).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${whatToDo} Installing it failed: ${reason}`, { cause });
  });
}
