import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { WAIT_MAX_MS } from './wait.js';

/** Whom to run a program as; empty for oneself. */
export interface Identity {
  readonly uid?: number;
  readonly gid?: number;
}

interface RunOptions {
  readonly input?: string;
  readonly identity?: Identity;
  /** Where it runs, and its home: one's own may be closed to others. */
  readonly directory?: string;
  readonly maxMs?: number;
}

/** What a program of ours may know: no PGHOST or PGOPTIONS of the developer's reaches a test server. */
export const cleanEnv = (home = process.env['HOME']): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: home,
  LC_ALL: 'C',
  PGCONNECT_TIMEOUT: '5',
});

/** Runs a program to its end and answers what it wrote; throws what it complained about. */
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
  // A program that ends before it has read everything says why on standard error.
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
