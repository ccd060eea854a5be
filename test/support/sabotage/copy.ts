import { cp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packagePath } from '../../../src/platform/runtime/index.js';
import { type StartedServer, startServer, tempDirectory } from '../server.js';
import type { WeakenedGuards } from './sabotage.js';

/** What `dist/` expects in its parent directory. */
const SIBLINGS_OF_DIST = ['migrations', 'node_modules', 'package.json'];

export interface SabotagedCopy {
  start(env: Readonly<Record<string, string>>): Promise<StartedServer>;
  remove(): Promise<void>;
}

/** Copies the built Foyer and replaces `kernel/guard.js` in the copy, so that these guards are weakened. */
export async function copyWithoutGuards(guards: WeakenedGuards): Promise<SabotagedCopy> {
  const { path, remove } = await tempDirectory();
  const dist = join(path, 'dist');
  try {
    await cp(packagePath('dist', 'modules'), dist, { recursive: true });
    for (const name of SIBLINGS_OF_DIST) await symlink(packagePath(name), join(path, name));
    await writeFile(join(dist, 'kernel', 'guard.js'), guardModule(guards));
  } catch (error) {
    await remove();
    throw error;
  }
  // A server without its guards may log errors; tests judge only its responses and its database.
  const start: SabotagedCopy['start'] = (env) =>
    startServer({ FOYER_LOG_LEVEL: 'fatal', ...env }, join(dist, 'main.js'));
  return { start, remove };
}

const guardModule = (guards: WeakenedGuards): string => {
  const members = Object.entries(guards).map(([id, weaken]) => `  '${id}': ${weaken.toString()},`);
  return `const weakened = {\n${members.join('\n')}\n};
export const guard = (id, value) => (Object.hasOwn(weakened, id) ? weakened[id](value) : value);\n`;
};
