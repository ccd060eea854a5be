import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the ports that systems give to outgoing connections: a client that keeps calling a server which is down
// could be given the server's own port, and would talk to itself while the server cannot come back.
const FIRST_PORT = 15_000;
const LAST_PORT = 32_000;
const TRIES_MAX = 20;

/** Somebody else was faster. */
export class PortTaken extends Error {}

/** Starts something on a free port, and on another one when that was taken in the meantime. */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    try {
      await assertFree(port);
      return await start(port);
    } catch (error) {
      if (!(error instanceof PortTaken) || tries === TRIES_MAX) throw error;
    }
  }
}

async function assertFree(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening').catch((cause: unknown) => {
    throw new PortTaken(`port ${port} is not free`, { cause });
  });
  server.close();
  await once(server, 'close');
}
