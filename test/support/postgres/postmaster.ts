import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Daemon, startDaemon } from './daemon.js';
import type { PostgresInstance } from './instance.js';
import { WAIT_MAX_MS } from '../machine/wait.js';

/** `smart` waits for sessions to end, `fast` ends them and writes a checkpoint, `immediate` leaves recovery to the next start. */
export type ShutdownMode = 'smart' | 'fast' | 'immediate';

const SIGNALS: Readonly<Record<ShutdownMode, NodeJS.Signals>> = {
  smart: 'SIGTERM',
  fast: 'SIGINT',
  immediate: 'SIGQUIT',
};
const STATUS_LINE = 7;
const SHARED_MEMORY_IN_USE = /pre-existing shared memory block .* is still in use/;
const START_RETRY_MS = 100;

export interface Postmaster {
  start(): Promise<void>;
  shutDown(mode: ShutdownMode): Promise<void>;
  kill(): Promise<void>;
  /** Suspends all of its processes for `ms`. */
  freeze(ms: number): Promise<void>;
}

/** PostgreSQL's main process, which can be stopped and started again on the same data and port. */
export function createPostmaster(instance: PostgresInstance, port: number): Postmaster {
  let daemon: Daemon | undefined;

  async function launch(): Promise<void> {
    const args = ['-D', instance.dataDirectory, '-p', String(port), '-k', instance.directory];
    const launched = await startDaemon(instance.program('postgres'), args, instance);
    await launched.waitUntilReady(() => isReady(instance.dataDirectory, launched.pid));
    daemon = launched;
  }

  return {
    async start() {
      const giveUpAtMs = performance.now() + WAIT_MAX_MS;
      for (;;) {
        try {
          await launch();
          return;
        } catch (error) {
          // The children of a killed postmaster exit a moment after it.
          const isTooEarly = error instanceof Error && SHARED_MEMORY_IN_USE.test(error.message);
          if (!isTooEarly || performance.now() > giveUpAtMs) throw error;
          await sleep(START_RETRY_MS);
        }
      }
    },
    async shutDown(mode) {
      if (daemon?.isRunning() !== true) return;
      daemon.signal(SIGNALS[mode]);
      await daemon.waitUntilExited();
    },
    async kill() {
      if (daemon?.isRunning() !== true) return;
      // Suspended first, so that it cannot fork children that are not killed: nothing commits after this.
      daemon.signal('SIGSTOP');
      const children = await childrenOf(daemon.pid);
      daemon.signal('SIGKILL');
      for (const child of children) signalIfRunning(child, 'SIGKILL');
      await daemon.waitUntilExited();
    },
    async freeze(ms) {
      if (daemon?.isRunning() !== true) return;
      daemon.signal('SIGSTOP');
      const children = await childrenOf(daemon.pid);
      for (const child of children) signalIfRunning(child, 'SIGSTOP');
      await sleep(ms);
      for (const child of children) signalIfRunning(child, 'SIGCONT');
      daemon.signal('SIGCONT');
    },
  };
}

/** Whether the postmaster with this pid has written to its pid file that it accepts connections. */
async function isReady(dataDirectory: string, pid: number): Promise<boolean> {
  const lines = (await readFile(join(dataDirectory, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return lines[0] === String(pid) && lines[STATUS_LINE]?.trim() === 'ready';
}

/** Known on Linux only; elsewhere the children notice themselves that their postmaster is gone. */
async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return children.split(' ').filter(Boolean).map(Number);
}

function signalIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
