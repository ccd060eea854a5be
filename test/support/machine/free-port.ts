import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the ephemeral ports. Otherwise a client that keeps connecting to a stopped server could get the server's own port
// for its outgoing connection, connect to itself, and keep the server from restarting.
const FIRST_PORT = 15_000;
const LAST_PORT = 32_000;
const ATTEMPTS_MAX = 20;

/** Another process took the port first. */
export class PortTaken extends Error {}

/** Starts something on a free port. Tries another port if that one was taken in the meantime. */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    try {
      await assertFree(port);
      return await start(port);
    } catch (error) {
      if (!(error instanceof PortTaken) || attempt === ATTEMPTS_MAX) throw error;
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
