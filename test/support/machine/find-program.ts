import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { installPackages } from './install.js';

/** The path of a program. Installs its Debian package, which has the same name, if it is missing. */
export async function findProgram(program: string, instructions: string): Promise<string> {
  const found = await lookFor(program);
  if (found !== undefined) return found;
  await installPackages([program], instructions);
  const installed = await lookFor(program);
  if (installed === undefined) throw new Error(instructions);
  return installed;
}

async function lookFor(program: string): Promise<string | undefined> {
  // Debian installs servers into /usr/sbin, which is only on root's PATH.
  for (const directory of [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin']) {
    const path = join(directory, program);
    const canRun = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (directory !== '' && canRun) return path;
  }
  return undefined;
}
