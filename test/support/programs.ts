import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { packagePath } from '../../src/platform/runtime/index.js';
import { SECRET } from './server.js';

const CLI = packagePath('dist', 'cli.js');
const MAIN = packagePath('dist', 'main.js');

const END_MAX_MS = 25_000;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Env = Readonly<Record<string, string>>;

async function run(args: readonly string[], env: Env): Promise<Ended> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  // A program that was meant to end and does not must not outlive the test.
  const timer = setTimeout(() => child.kill('SIGKILL'), END_MAX_MS);
  await once(child, 'close');
  clearTimeout(timer);
  return { code: child.exitCode, stdout, stderr };
}

/** `foyer ARGS` on a data directory, to its end. */
export const foyer = (directory: string, ...args: string[]): Promise<Ended> =>
  run([CLI, ...args], { FOYER_DATA_DIR: directory, FOYER_SECRET: SECRET });

/** `foyer ARGS` on a PostgreSQL database, or on both kinds, to its end. */
export const foyerWith = (env: Env, ...args: string[]): Promise<Ended> =>
  run([CLI, ...args], { FOYER_SECRET: SECRET, ...env });

/** The server with settings that do not let it start, to its end. */
export const runFailingStart = (env: Env): Promise<Ended> => run([MAIN], { FOYER_LOG_LEVEL: 'warn', ...env });

/** A piece of JavaScript that may ask for garbage collections, to its end. */
export const runScript = (script: string, ...args: string[]): Promise<Ended> =>
  run(['--expose-gc', '--input-type=module', '--eval', script, ...args], {});
