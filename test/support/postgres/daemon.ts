import { spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { PortTaken } from '../machine/free-port.js';
import { cleanEnv, type Identity } from '../machine/run.js';
import { withTimeout, waitUntil } from '../machine/wait.js';

const LOG_LINES_SHOWN = 20;
const PORT_TAKEN = /could not create any TCP\/IP sockets|nowhere to listen on/;

/** A server that runs in the background and writes to `log` in its directory. */
export interface Daemon {
  readonly pid: number;
  isRunning(): boolean;
  /** Waits until it serves; throws its last words when it ends instead. */
  waitUntilReady(isReady: () => Promise<boolean>): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  waitUntilExited(): Promise<void>;
}

export async function lastLogLines(directory: string): Promise<string> {
  const log = await readFile(join(directory, 'log'), 'utf8').catch(() => '');
  return log.trimEnd().split('\n').slice(-LOG_LINES_SHOWN).join('\n');
}

export async function startDaemon(
  program: string,
  args: readonly string[],
  { directory, identity }: { directory: string; identity: Identity },
): Promise<Daemon> {
  const name = basename(program);
  // Each start begins a new log, so that what is read there was said by this process.
  const log = await open(join(directory, 'log'), 'w');
  const child = spawn(program, args, {
    env: cleanEnv(directory),
    cwd: directory,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    ...identity,
  });
  child.unref();
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => {
      resolve();
    });
    child.once('exit', () => {
      resolve();
    });
  });
  await log.close();
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} could not be run`);
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;

  async function failure(how: string, cause?: unknown): Promise<Error> {
    const words = await lastLogLines(directory);
    const ErrorOfItsKind = PORT_TAKEN.test(words) ? PortTaken : Error;
    return new ErrorOfItsKind(`${name} ${how}; its log says:\n${words}`, { cause });
  }

  return {
    pid,
    isRunning,
    async waitUntilReady(isReady) {
      try {
        await waitUntil(`the start of ${name}`, async () => !isRunning() || (await isReady()));
      } catch (cause) {
        throw await failure('did not get ready', cause);
      }
      if (!isRunning()) throw await failure('ended before it was ready');
    },
    signal: (signal) => child.kill(signal),
    waitUntilExited: () =>
      withTimeout(`the end of ${name}`, ended).catch(async (cause: unknown) => {
        throw await failure('did not end', cause);
      }),
  };
}
