import { readdirSync } from 'node:fs';
import { packagePath } from '../../src/platform/runtime/index.js';

/** Without `.sql`, in the order of their versions. Both databases have the same. */
export const MIGRATION_NAMES = readdirSync(packagePath('migrations', 'sqlite'))
  .sort()
  .map((file) => file.slice(0, -'.sql'.length));

/** One line for each migration, as `foyer migrate` writes them. */
export const eachMigration = (state: string): string =>
  MIGRATION_NAMES.map((name) => `${state} ${name}\n`).join('');
