import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { closeSlowly } from './close-slowly.js';

/** Browsers do not pipeline, and load generators pipeline only a few requests. */
const PIPELINED_MAX = 64;

/**
 * Node parses pipelined requests immediately and keeps each one until the responses before it are sent, so a single
 * connection could make the server keep thousands. The returned function says whether a request must be refused because
 * it exceeds the limit. From then on every request of the connection is refused and nothing more is read from it: the
 * requests before are answered, then the first refused one, and then the connection closes. So nothing that was done
 * remains unanswered.
 */
export function createPipeliningLimit(): (socket: Socket, response: ServerResponse) => boolean {
  const pipelined = new WeakMap<Socket, number>();
  const closing = new WeakSet<Socket>();
  return (socket, response) => {
    if (closing.has(socket)) return true;
    // Only the response that is being sent has a socket; responses to pipelined requests have none yet.
    if (response.socket) return false;
    const count = (pipelined.get(socket) ?? 0) + 1;
    pipelined.set(socket, count);
    response.once('close', () => {
      pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1);
    });
    if (count <= PIPELINED_MAX) return false;
    closing.add(socket);
    socket.pause();
    closeSlowly(socket);
    return true;
  };
}
