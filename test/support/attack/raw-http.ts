import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawConnection {
  readonly socket: Socket;
  /** Everything received so far. */
  text(): string;
  readonly closed: Promise<unknown>;
}

/** Opens a socket on which a test can write requests that no HTTP client would send. */
export async function connectTo(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  // A server may reset the connection after its last response.
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  return { socket, text: () => text, closed };
}

/** Sends these bytes and returns everything received until the server closes the connection. */
export async function sendRaw(url: string, bytes: string): Promise<string> {
  const { socket, text, closed } = await connectTo(url);
  socket.write(bytes, 'latin1');
  await closed;
  return text();
}

/** The status codes of all responses in the received text. */
export const statusesIn = (text: string): number[] =>
  [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
