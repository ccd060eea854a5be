import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Daemon, startDaemon } from './daemon.js';
import type { ServerDirectory } from './server-directory.js';
import { WAIT_MAX_MS } from '../machine/wait.js';

/** `fast` ends sessions and closes the books, `immediate` leaves recovery to the next start, `smart` waits for sessions to end. */
export type ShutdownMode = 'smart' | 'fast' | 'immediate';

const SIGNALS: Readonly<Record<ShutdownMode, NodeJS.Signals>> = {
  smart: 'SIGTERM',
  fast: 'SIGINT',
  immediate: 'SIGQUIT',
};
const STATUS_LINE = 7;
const PREDECESSOR_LIVES = /pre-existing shared memory block .* is still in use/;
const PREDECESSOR_LOOK_MS = 100;

export interface Postmaster {
  start(): Promise<void>;
  shutDown(mode: ShutdownMode): Promise<void>;
  kill(): Promise<void>;
  /** All of its processes stand still for so long. */
  freeze(ms: number): Promise<void>;
}

/** PostgreSQL's first process, which may be ended and started again on the same data and port. */
export function createPostmaster(home: ServerDirectory, port: number): Postmaster {
  let daemon: Daemon | undefined;

  async function launch(): Promise<void> {
    const args = ['-D', home.dataDirectory, '-p', String(port), '-k', home.directory];
    const launched = await startDaemon(home.program('postgres'), args, home);
    await launched.waitUntilReady(() => saysReady(home.dataDirectory, launched.pid));
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
          // The children of a killed postmaster go by themselves, a moment later.
          const isTooEarly = error instanceof Error && PREDECESSOR_LIVES.test(error.message);
          if (!isTooEarly || performance.now() > giveUpAtMs) throw error;
          await sleep(PREDECESSOR_LOOK_MS);
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
      // Stopped first, so that it has no child that we do not see: nothing commits after this.
      daemon.signal('SIGSTOP');
      const children = await childrenOf(daemon.pid);
      daemon.signal('SIGKILL');
      for (const child of children) signalIfThere(child, 'SIGKILL');
      await daemon.waitUntilExited();
    },
    async freeze(ms) {
      if (daemon?.isRunning() !== true) return;
      daemon.signal('SIGSTOP');
      const children = await childrenOf(daemon.pid);
      for (const child of children) signalIfThere(child, 'SIGSTOP');
      await sleep(ms);
      for (const child of children) signalIfThere(child, 'SIGCONT');
      daemon.signal('SIGCONT');
    },
  };
}

/** Whether the postmaster of this process id has written that it takes connections. */
async function saysReady(dataDirectory: string, pid: number): Promise<boolean> {
  const lines = (await readFile(join(dataDirectory, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return lines[0] === String(pid) && lines[STATUS_LINE]?.trim() === 'ready';
}

/** Known on Linux only; elsewhere they notice the death of their postmaster by themselves. */
async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return children.split(' ').filter(Boolean).map(Number);
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
