import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { keepTrack } from './children.js';
import { parse } from '../test/support/machine/parse.js';
import { medianOf } from './stats.js';
import { settingsOf } from '../test/support/server.js';

const START_MAX_MS = 120_000;
const READY_LOOK_MS = 5;
const MEMORY_SAMPLES = 5;
const MEMORY_SAMPLE_EVERY_MS = 200;
const SETTLE = new URL('./settle.js', import.meta.url);

export type Env = Readonly<Record<string, string>>;

const MemorySchema = Type.Object({ rss: Type.Number(), heapUsed: Type.Number(), external: Type.Number() });

export interface Server {
  readonly port: number;
  readonly url: string;
  /** From its start until it said that it is ready. */
  readonly readySeconds: number;
  /** Resident bytes after garbage collections, the median of several looks; only with `memory`. */
  residentBytes(): Promise<number>;
  stop(): Promise<void>;
}

/** Foyer as its users start it: `node dist/main.js`, on a free port of the loopback. */
export async function startFoyer(env: Env, { memory = false } = {}): Promise<Server> {
  const args = memory ? ['--expose-gc', '--import', SETTLE.href] : [];
  const startedMs = performance.now();
  const child = keepTrack(
    spawn(process.execPath, [...args, 'dist/main.js'], {
      env: settingsOf(env),
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    }),
  );
  const ended = once(child, 'exit');
  const url = await addressOf(child);
  await untilReady(url);
  const readySeconds = (performance.now() - startedMs) / 1000;
  return {
    port: Number(new URL(url).port),
    url,
    readySeconds,
    residentBytes: () => residentBytes(child),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Serves the data for as long as the work lasts. */
export async function serving<T>(
  { env }: { readonly env: Env },
  work: (server: Server) => Promise<T>,
  options: { memory?: boolean } = {},
): Promise<T> {
  const server = await startFoyer(env, options);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

/** Runs a command of Foyer's command line to its end and answers what it said. */
export async function foyer(env: Env, ...args: string[]): Promise<string> {
  const child = keepTrack(
    spawn(process.execPath, ['dist/cli.js', ...args], {
      env: settingsOf(env),
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`foyer ${args.join(' ')} failed`);
  return said;
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => child.kill('SIGKILL'), START_MAX_MS);
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const address = /listening on (http:\/\/\S+)/.exec(said)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    });
    child.once('exit', () => {
      clearTimeout(timer);
      reject(new Error(`the server ended before it listened:\n${said}`));
    });
  });
}

async function untilReady(url: string): Promise<void> {
  while (!(await fetch(`${url}/readyz`)).ok) await sleep(READY_LOOK_MS);
}

async function residentBytes(child: ChildProcess): Promise<number> {
  const samples: number[] = [];
  for (let sample = 0; sample < MEMORY_SAMPLES; sample += 1) {
    await sleep(MEMORY_SAMPLE_EVERY_MS);
    const answer = once(child, 'message');
    child.send('settle');
    const heard: unknown[] = await answer;
    samples.push(parse(MemorySchema, heard[0], 'what the server said about its memory').rss);
  }
  return medianOf(samples);
}
