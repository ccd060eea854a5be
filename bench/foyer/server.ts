/** Starts Foyer as its users do: the built server as a process of its own, and the built command line. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { parse } from '../../test/support/machine/parse.js';
import { settingsOf } from '../../test/support/server.js';
import { killOnExit } from '../child-processes.js';
import { medianOf } from '../measurement/statistics.js';

const START_MAX_MS = 120_000;
const READY_POLL_INTERVAL_MS = 5;
const MEMORY_SAMPLES = 5;
const MEMORY_SAMPLE_INTERVAL_MS = 200;
const REPORT_MEMORY = new URL('./report-memory.js', import.meta.url);

export type Env = Readonly<Record<string, string>>;

const MemorySchema = Type.Object({ rss: Type.Number() });

export interface FoyerServer {
  readonly port: number;
  readonly url: string;
  /** From the start of the process until `/readyz` returned 200. */
  readonly readySeconds: number;
  /** Resident set size after garbage collection, the median of several samples. Requires `canMeasureMemory`. */
  residentBytes(): Promise<number>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly canMeasureMemory?: boolean;
}

/** Starts `node dist/main.js` on a free loopback port and waits until it is ready. */
export async function startServer(
  env: Env,
  { canMeasureMemory = false }: ServerOptions = {},
): Promise<FoyerServer> {
  const args = canMeasureMemory ? ['--expose-gc', '--import', REPORT_MEMORY.href] : [];
  const startedMs = performance.now();
  const child = killOnExit(
    spawn(process.execPath, [...args, 'dist/main.js'], {
      env: settingsOf(env),
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    }),
  );
  const exited = once(child, 'exit');
  const url = await waitForAddress(child);
  await waitUntilReady(url);
  const readySeconds = (performance.now() - startedMs) / 1000;
  return {
    port: Number(new URL(url).port),
    url,
    readySeconds,
    residentBytes: () => measureResidentBytes(child),
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Runs a server on the database while the work runs. */
export async function withServer<T>(
  { env }: { readonly env: Env },
  work: (server: FoyerServer) => Promise<T>,
  options?: ServerOptions,
): Promise<T> {
  const server = await startServer(env, options);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

/** Runs a command of Foyer's command line and returns its standard output. */
export async function runCli(env: Env, ...args: string[]): Promise<string> {
  const child = killOnExit(
    spawn(process.execPath, ['dist/cli.js', ...args], {
      env: settingsOf(env),
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`foyer ${args.join(' ')} failed`);
  return output;
}

function waitForAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => child.kill('SIGKILL'), START_MAX_MS);
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const address = /listening on (http:\/\/\S+)/.exec(output)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    });
    child.once('exit', () => {
      clearTimeout(timer);
      reject(new Error(`the server exited before it listened:\n${output}`));
    });
  });
}

async function waitUntilReady(url: string): Promise<void> {
  while (!(await fetch(`${url}/readyz`)).ok) await sleep(READY_POLL_INTERVAL_MS);
}

async function measureResidentBytes(child: ChildProcess): Promise<number> {
  const samples: number[] = [];
  for (let sample = 0; sample < MEMORY_SAMPLES; sample += 1) {
    await sleep(MEMORY_SAMPLE_INTERVAL_MS);
    const reply = once(child, 'message');
    child.send('report memory');
    const args: unknown[] = await reply;
    samples.push(parse(MemorySchema, args[0], "the server's memory usage").rss);
  }
  return medianOf(samples);
}
