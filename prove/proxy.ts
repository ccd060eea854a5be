import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type ConnectionFault =
  /** Every chunk is delayed. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** The connection breaks after this many more bytes in either direction. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** Requests arrive, but the connection breaks instead of returning the response. */
  | { readonly kind: 'drop-responses' }
  /** A POST with an idempotency key is also sent a second time. */
  | { readonly kind: 'replay' }
  /** The connection breaks when PostgreSQL confirms a COMMIT, before the confirmation is forwarded. */
  | { readonly kind: 'lose-commit' };

/** A TCP proxy that forwards to one port and can inject a connection fault. */
export interface Proxy {
  readonly port: number;
  /** The port that new connections are forwarded to. */
  setTarget(port: number): void;
  /** Injects this fault from now on; undefined ends it. */
  setFault(fault: ConnectionFault | undefined): void;
  /** How often a fault has affected the traffic so far. */
  faultCount(): number;
  close(): void;
}

const LINGER_MS = 300;
const REPLAY_MAX_MS = 10 * LINGER_MS;
/** CommandComplete, as PostgreSQL sends it after a COMMIT. */
const COMMITTED = Buffer.concat([Buffer.from([0x43, 0, 0, 0, 11]), Buffer.from('COMMIT\0')]);
const KEYED_POST = /^POST [\s\S]*\r\nidempotency-key: /i;

interface ProxyState {
  targetPort: number;
  fault: ConnectionFault | undefined;
  faultCount: number;
  readonly sockets: Set<Socket>;
}

export async function startProxy(): Promise<Proxy> {
  const state: ProxyState = { targetPort: 0, fault: undefined, faultCount: 0, sockets: new Set() };
  const server = createServer((client) => {
    const upstream = connect(state.targetPort, '127.0.0.1');
    const disconnect = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      state.sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', disconnect);
      socket.on('close', () => {
        state.sockets.delete(socket);
        disconnect();
      });
    }
    forward(state, client, upstream, 'request', disconnect);
    forward(state, upstream, client, 'response', disconnect);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    setTarget(port) {
      state.targetPort = port;
    },
    setFault(fault) {
      state.fault = fault;
    },
    faultCount: () => state.faultCount,
    close() {
      server.close();
      for (const socket of state.sockets) socket.destroy();
    },
  };
}

function forward(
  state: ProxyState,
  from: Socket,
  to: Socket,
  direction: 'request' | 'response',
  disconnect: () => void,
): void {
  let bytesLeft: number | undefined;
  let previousWrite: Promise<unknown> = Promise.resolve();

  /** Returns the chunk to forward; undefined when the connection must break now. */
  function cutOrPass(chunk: Buffer): Buffer | undefined {
    const { fault } = state;
    if (fault?.kind === 'cut') {
      bytesLeft ??= fault.afterBytes;
      bytesLeft -= chunk.length;
      if (bytesLeft > 0) return chunk;
      to.write(chunk.subarray(0, Math.max(0, chunk.length + bytesLeft)));
      return undefined;
    }
    bytesLeft = undefined;
    if (fault?.kind === 'lose-commit' && direction === 'response' && chunk.includes(COMMITTED))
      return undefined;
    return chunk;
  }

  from.on('data', (chunk: Buffer) => {
    const { fault } = state;
    if (fault?.kind === 'drop-responses' && direction === 'response') {
      state.faultCount += 1;
      setTimeout(disconnect, LINGER_MS);
      return;
    }
    if (fault?.kind === 'replay' && direction === 'request' && KEYED_POST.test(chunk.toString('latin1')))
      replay(state, chunk);
    const passed = cutOrPass(chunk);
    if (!passed) {
      state.faultCount += 1;
      disconnect();
      return;
    }
    if (fault?.kind === 'delay') {
      state.faultCount += 1;
      previousWrite = previousWrite.then(() => sleep(fault.ms));
    }
    // Chained, so that no chunk overtakes a delayed one.
    previousWrite = previousWrite.then(() => to.writable && to.write(passed));
  });
}

/** Sends the request again on a connection of its own and discards the response. */
function replay(state: ProxyState, request: Buffer): void {
  state.faultCount += 1;
  const socket = connect(state.targetPort, '127.0.0.1', () => socket.write(request));
  state.sockets.add(socket);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => state.sockets.delete(socket));
  socket.resume();
  setTimeout(() => socket.destroy(), REPLAY_MAX_MS);
}
