import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { atHome } from '../../../src/platform/runtime/index.js';
import { type StartedServer, startServer, tempDirectory } from '../server.js';

/** What `dist/` looks for around itself. */
const BESIDE_DIST = ['migrations', 'node_modules', 'package.json'];

/** One piece of a compiled file that says something else in the copy. */
export interface Edit {
  /** Below `dist/modules/`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export interface Copy {
  start(env: Readonly<Record<string, string>>): Promise<StartedServer>;
  remove(): Promise<void>;
}

/** Foyer as it was built, but for these edits. */
export async function copyOfFoyer(edits: readonly Edit[]): Promise<Copy> {
  const { path, remove } = await tempDirectory();
  const dist = join(path, 'dist');
  try {
    await cp(atHome('dist', 'modules'), dist, { recursive: true });
    for (const name of BESIDE_DIST) await symlink(atHome(name), join(path, name));
    for (const edit of edits) await apply(dist, edit);
  } catch (error) {
    await remove();
    throw error;
  }
  // Whatever a server without a guard complains of, the test is about to find out.
  const start: Copy['start'] = (env) =>
    startServer({ FOYER_LOG_LEVEL: 'fatal', ...env }, join(dist, 'main.js'));
  return { start, remove };
}

async function apply(dist: string, { file, from, to }: Edit): Promise<void> {
  const text = await readFile(join(dist, file), 'utf8');
  const [before, after, ...more] = text.split(from);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(
      `dist/modules/${file} must have this exactly once, for a control to take it away: ${from}`,
    );
  }
  await writeFile(join(dist, file), `${before}${to}${after}`);
}
