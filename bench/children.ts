import { type ChildProcess, fork, type ForkOptions } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Nothing that the benchmark started outlives it, however it ends. */
const living = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of living) child.kill('SIGKILL');
});

export function keepTrack<Child extends ChildProcess>(child: Child): Child {
  living.add(child);
  child.once('exit', () => living.delete(child));
  return child;
}

export interface Helper {
  /** Sends a message and answers what comes back; one at a time. */
  ask(message: object): Promise<unknown>;
  /** The next message, of a helper that speaks first. */
  hear(): Promise<unknown>;
  stop(): Promise<void>;
}

/** A process of the benchmark's own: one of its modules, spoken to over a channel. */
export function startHelper(module: URL, args: readonly string[] = []): Helper {
  const options: ForkOptions = { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] };
  const child = keepTrack(fork(fileURLToPath(module), args, options));
  const name = module.pathname.split('/').at(-1) ?? '';
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${name} has ended`);
  });
  ended.catch(() => undefined);
  const hear = async (): Promise<unknown> => {
    const heard: unknown[] = await Promise.race([once(child, 'message'), ended]);
    return heard[0];
  };
  return {
    hear,
    async ask(message) {
      const answer = hear();
      child.send(message);
      return answer;
    },
    async stop() {
      child.kill();
      await ended.catch(() => undefined);
    },
  };
}
