import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE_ROOT = ((): string => {
  let directory = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(directory, 'package.json'))) directory = dirname(directory);
  return directory;
})();

/** The path of a file of this package, wherever the build has put this code. */
export const packagePath = (...names: readonly string[]): string => join(PACKAGE_ROOT, ...names);
