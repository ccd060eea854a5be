import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { WAIT_MAX_MS } from './wait.js';

/** The user to run a program as; empty for the current user. */
export interface Identity {
  readonly uid?: number;
  readonly gid?: number;
}

interface RunOptions {
  readonly input?: string;
  readonly identity?: Identity;
  /** The working directory and HOME, because another user may not be able to read ours. */
  readonly directory?: string;
  readonly maxMs?: number;
}

/** The environment for test programs, without the developer's own PGHOST or PGOPTIONS. */
export const cleanEnv = (home = process.env['HOME']): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: home,
  LC_ALL: 'C',
  PGCONNECT_TIMEOUT: '5',
});

/** Runs a program to its end and returns its standard output. Throws its standard error if it fails. */
export async function run(
  program: string,
  args: readonly string[],
  { input = '', identity = {}, directory, maxMs = WAIT_MAX_MS }: RunOptions = {},
): Promise<string> {
  const child = spawn(program, args, { env: cleanEnv(directory), cwd: directory ?? '/', ...identity });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  // Writing fails if the program exits before it has read its input; the exit code and standard error report why.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const failure = await new Promise<string | undefined>((resolve) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      resolve(`took longer than ${maxMs / 1000} s`);
    }, maxMs);
    child.once('error', (error) => {
      clearTimeout(timer);
      resolve(`could not be run: ${error.message}`);
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve(code === 0 ? undefined : `ended with ${String(code ?? signal)}`);
    });
  });
  if (failure !== undefined) throw new Error(`${basename(program)} ${failure}\n${stderr.trim()}`);
  return stdout;
}
