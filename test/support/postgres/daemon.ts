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
  /** Waits until it is ready. Throws the end of its log if it exits instead. */
  waitUntilReady(isReady: () => Promise<boolean>): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  waitUntilExited(): Promise<void>;
}

export async function readLastLogLines(directory: string): Promise<string> {
  const log = await readFile(join(directory, 'log'), 'utf8').catch(() => '');
  return log.trimEnd().split('\n').slice(-LOG_LINES_SHOWN).join('\n');
}

export async function startDaemon(
  program: string,
  args: readonly string[],
  { directory, identity }: { directory: string; identity: Identity },
): Promise<Daemon> {
  const name = basename(program);
  // Each start truncates the log, so that it contains only lines of this process.
  const logFile = await open(join(directory, 'log'), 'w');
  const child = spawn(program, args, {
    env: cleanEnv(directory),
    cwd: directory,
    detached: true,
    stdio: ['ignore', logFile.fd, logFile.fd],
    ...identity,
  });
  child.unref();
  const exited = new Promise<void>((resolve) => {
    child.once('error', () => {
      resolve();
    });
    child.once('exit', () => {
      resolve();
    });
  });
  await logFile.close();
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} could not be run`);
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;

  async function failure(how: string, cause?: unknown): Promise<Error> {
    const log = await readLastLogLines(directory);
    const ErrorClass = PORT_TAKEN.test(log) ? PortTaken : Error;
    return new ErrorClass(`${name} ${how}; its log says:\n${log}`, { cause });
  }

  return {
    pid,
    isRunning,
    async waitUntilReady(isReady) {
      try {
        await waitUntil(`the start of ${name}`, async () => !isRunning() || (await isReady()));
      } catch (cause) {
        throw await failure('did not become ready', cause);
      }
      if (!isRunning()) throw await failure('exited before it was ready');
    },
    signal: (signal) => child.kill(signal),
    waitUntilExited: () =>
      withTimeout(`the exit of ${name}`, exited).catch(async (cause: unknown) => {
        throw await failure('did not exit', cause);
      }),
  };
}
