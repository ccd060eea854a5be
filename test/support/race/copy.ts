import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { OPERATOR, SECRET, type StartedServer, tempDirectory } from '../server.js';

const HOME = fileURLToPath(new URL('../../../', import.meta.url));
/** What `dist/` looks for around itself. */
const BESIDE_DIST = ['migrations', 'node_modules', 'package.json'];

/** One piece of a compiled file that says something else in the copy. */
export interface Edit {
  /** Below `dist/`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export type RunningServer = Pick<StartedServer, 'url' | 'stop'>;

export interface Copy {
  start(env: Readonly<Record<string, string>>): Promise<RunningServer>;
  remove(): Promise<void>;
}

/** Foyer as it was built, but for these edits. */
export async function copyOfFoyer(edits: readonly Edit[]): Promise<Copy> {
  const { path, remove } = await tempDirectory();
  const dist = join(path, 'dist');
  try {
    await cp(join(HOME, 'dist'), dist, { recursive: true });
    for (const name of BESIDE_DIST) await symlink(join(HOME, name), join(path, name));
    for (const edit of edits) await apply(dist, edit);
  } catch (error) {
    await remove();
    throw error;
  }
  return { start: (env) => startMain(join(dist, 'main.js'), env), remove };
}

async function apply(dist: string, { file, from, to }: Edit): Promise<void> {
  const text = await readFile(join(dist, file), 'utf8');
  const [before, after, ...more] = text.split(from);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`dist/${file} must have this exactly once, for a control to take it away: ${from}`);
  }
  await writeFile(join(dist, file), `${before}${to}${after}`);
}

async function startMain(main: string, env: Readonly<Record<string, string>>): Promise<RunningServer> {
  const settings = {
    PATH: process.env['PATH'],
    PORT: '0',
    FOYER_SECRET: SECRET,
    FOYER_OPERATOR_EMAIL: OPERATOR.email,
    FOYER_OPERATOR_PASSWORD: OPERATOR.password,
    FOYER_RATE_LIMITS: 'off',
    // Whatever a server without a guard complains of, the test is about to find out.
    FOYER_LOG_LEVEL: 'fatal',
    ...env,
  };
  const child = spawn(process.execPath, [main], { env: settings, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = /listening on (http:\/\/\S+)/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', (code) => {
      reject(new Error(`the copy ended with ${String(code)} before it listened`));
    });
  });
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await exited;
      return child.exitCode;
    },
  };
}
