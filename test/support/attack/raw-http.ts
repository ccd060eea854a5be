import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawConnection {
  readonly socket: Socket;
  /** Everything that has come back so far. */
  text(): string;
  readonly closed: Promise<unknown>;
}

/** A connection on which a test writes what no HTTP client would. */
export async function connectTo(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  // A server that has said its last word may reset the connection.
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  return { socket, text: () => text, closed };
}

/** Sends these bytes and answers everything that comes until the server closes. */
export async function sendRaw(url: string, bytes: string): Promise<string> {
  const { socket, text, closed } = await connectTo(url);
  socket.write(bytes, 'latin1');
  await closed;
  return text();
}

/** The statuses of the answers in what a connection gave back. */
export const statusesIn = (text: string): number[] =>
  [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
