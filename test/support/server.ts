import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packagePath } from '../../src/platform/runtime/index.js';

const MAIN = packagePath('dist', 'main.js');
const START_MAX_MS = 30_000;

export const OPERATOR = { email: 'operator@test.example', password: 'operator-password' };
export const SECRET = 'a-secret-for-tests-only';

export interface StartedServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly pid: number;
  isRunning(): boolean;
  /** Standard output and standard error so far. */
  output(): string;
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

export async function tempDirectory(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'foyer-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Test defaults: a free port, an operator, fast password hashes, no rate limits and no drain time. `env` overrides them. */
export const settingsOf = (env: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  PORT: '0',
  FOYER_SECRET: SECRET,
  FOYER_OPERATOR_EMAIL: OPERATOR.email,
  FOYER_OPERATOR_PASSWORD: OPERATOR.password,
  FOYER_RATE_LIMITS: 'off',
  FOYER_PASSWORD_MEMORY_MIB: '8',
  FOYER_LOG_LEVEL: 'warn',
  FOYER_DRAIN_SECONDS: '0',
  ...env,
});

/** Starts `node dist/main.js`, or another build. */
export async function startServer(
  env: Readonly<Record<string, string>>,
  main = MAIN,
): Promise<StartedServer> {
  const child = spawn(process.execPath, [main], { env: settingsOf(env), stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(child, 'exit');
  const url = await addressOf(child, () => output);
  return {
    url,
    pid: child.pid ?? 0,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    output: () => output,
    async stop() {
      child.kill('SIGTERM');
      await exited;
      return child.exitCode;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function addressOf(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`the server did not start in time:\n${output()}`));
    }, START_MAX_MS);
    const findAddress = (): void => {
      const address = /listening on (http:\/\/\S+)/.exec(output())?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    };
    child.stdout?.on('data', findAddress);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`the server exited with ${String(code)} before it listened:\n${output()}`));
    });
  });
}
