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

/** Runs `node ARGS` until it exits. */
export async function runProgram(args: readonly string[], env: Env, input = ''): Promise<Ended> {
  const child = spawn(process.execPath, args, { env: { PATH: process.env['PATH'], ...env } });
  child.stdin.end(input);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  // A program that does not end must not outlive the test.
  const timer = setTimeout(() => child.kill('SIGKILL'), END_MAX_MS);
  await once(child, 'close');
  clearTimeout(timer);
  return { code: child.exitCode, stdout, stderr };
}

/** Runs `foyer ARGS` on a data directory until it exits. */
export const foyer = (directory: string, ...args: string[]): Promise<Ended> =>
  runProgram([CLI, ...args], { FOYER_DATA_DIR: directory, FOYER_SECRET: SECRET });

/** The same with a text on standard input. */
export const foyerWithInput = (input: string, directory: string, ...args: string[]): Promise<Ended> =>
  runProgram([CLI, ...args], { FOYER_DATA_DIR: directory, FOYER_SECRET: SECRET }, input);

/** Runs `foyer ARGS` with these settings until it exits. */
export const foyerWith = (env: Env, ...args: string[]): Promise<Ended> =>
  runProgram([CLI, ...args], { FOYER_SECRET: SECRET, ...env });

/** Runs the server with settings that make its start fail, until it exits. */
export const runFailingStart = (env: Env): Promise<Ended> =>
  runProgram([MAIN], { FOYER_LOG_LEVEL: 'warn', ...env });
