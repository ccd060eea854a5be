import { type ChildProcess, fork, type ForkOptions } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Ensures that the child does not outlive the benchmark, however the benchmark ends. */
export function killOnExit<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

export interface Worker {
  /** Sends a message and returns the reply. Only one request may be outstanding. */
  request(message: object): Promise<unknown>;
  /** The next message that the worker sends without a request. */
  nextMessage(): Promise<unknown>;
  stop(): Promise<void>;
}

/** Runs a module of the benchmark in a child process and exchanges messages with it. */
export function startWorker(module: URL, args: readonly string[] = []): Worker {
  const options: ForkOptions = { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] };
  const child = killOnExit(fork(fileURLToPath(module), args, options));
  const name = module.pathname.split('/').at(-1) ?? '';
  const exited = once(child, 'exit').then(() => {
    throw new Error(`${name} exited`);
  });
  exited.catch(() => undefined);
  const nextMessage = async (): Promise<unknown> => {
    const args: unknown[] = await Promise.race([once(child, 'message'), exited]);
    return args[0];
  };
  return {
    nextMessage,
    async request(message) {
      const reply = nextMessage();
      child.send(message);
      return reply;
    },
    async stop() {
      child.kill();
      await exited.catch(() => undefined);
    },
  };
}
