import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a bad wire does to what is sent over it. */
export type Trouble =
  | { readonly kind: 'delay'; readonly ms: number }
  /** So many more bytes get through in either direction, and then it breaks. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** Requests arrive, their answers do not. */
  | { readonly kind: 'swallow' }
  /** Requests with a key arrive twice. */
  | { readonly kind: 'replay' }
  /** The database says that it has committed, and nobody hears it. */
  | { readonly kind: 'lose-commit' };

export interface Proxy {
  readonly port: number;
  /** Where connections lead from now on. */
  leadTo(port: number): void;
  /** In trouble from now on, or no longer. */
  be(trouble: Trouble | undefined): void;
  /** How often the trouble has struck. */
  strikes(): number;
  close(): void;
}

const LINGER_MS = 300;
/** CommandComplete, as PostgreSQL sends it after a COMMIT. */
const COMMITTED = Buffer.concat([Buffer.from([0x43, 0, 0, 0, 11]), Buffer.from('COMMIT\0')]);
const KEYED_POST = /^POST [\s\S]*\r\nidempotency-key: /i;

interface State {
  target: number;
  trouble: Trouble | undefined;
  strikes: number;
  readonly sockets: Set<Socket>;
}

/** A wire of our own between two programs, so that it can be a bad one. */
export async function startProxy(): Promise<Proxy> {
  const state: State = { target: 0, trouble: undefined, strikes: 0, sockets: new Set() };
  const server = createServer((client) => {
    const upstream = connect(state.target, '127.0.0.1');
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      state.sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', end);
      socket.on('close', () => {
        state.sockets.delete(socket);
        end();
      });
    }
    carry(state, client, upstream, 'request', end);
    carry(state, upstream, client, 'answer', end);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(port) {
      state.target = port;
    },
    be(trouble) {
      state.trouble = trouble;
    },
    strikes: () => state.strikes,
    close() {
      server.close();
      for (const socket of state.sockets) socket.destroy();
    },
  };
}

function carry(state: State, from: Socket, to: Socket, side: 'request' | 'answer', end: () => void): void {
  let bytesLeft: number | undefined;
  let before: Promise<unknown> = Promise.resolve();

  /** What of it gets through; undefined when the wire broke. */
  function through(chunk: Buffer): Buffer | undefined {
    const { trouble } = state;
    if (trouble?.kind === 'cut') {
      bytesLeft ??= trouble.afterBytes;
      bytesLeft -= chunk.length;
      if (bytesLeft > 0) return chunk;
      to.write(chunk.subarray(0, Math.max(0, chunk.length + bytesLeft)));
      return undefined;
    }
    bytesLeft = undefined;
    if (trouble?.kind === 'lose-commit' && side === 'answer' && chunk.includes(COMMITTED)) return undefined;
    return chunk;
  }

  from.on('data', (chunk: Buffer) => {
    const { trouble } = state;
    if (trouble?.kind === 'swallow' && side === 'answer') {
      state.strikes += 1;
      setTimeout(end, LINGER_MS);
      return;
    }
    if (trouble?.kind === 'replay' && side === 'request' && KEYED_POST.test(chunk.toString('latin1')))
      replay(state, chunk);
    const passed = through(chunk);
    if (!passed) {
      state.strikes += 1;
      end();
      return;
    }
    if (trouble?.kind === 'delay') {
      state.strikes += 1;
      before = before.then(() => sleep(trouble.ms));
    }
    // Never past what is still being delayed.
    before = before.then(() => to.writable && to.write(passed));
  });
}

function replay(state: State, request: Buffer): void {
  state.strikes += 1;
  const again = connect(state.target, '127.0.0.1', () => again.write(request));
  state.sockets.add(again);
  again.on('error', () => again.destroy());
  again.on('close', () => state.sockets.delete(again));
  // Its answer is nobody's.
  again.resume();
  setTimeout(() => again.destroy(), 10 * LINGER_MS);
}
