import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Browsers do not pipeline, and load generators pipeline only a few requests. */
const PIPELINED_MAX = 64;

/**
 * Node parses pipelined requests immediately and keeps each one until the responses before it are sent, so a single
 * connection could make the server keep thousands. The returned function says whether a request exceeds the limit.
 */
export function createPipeliningLimit(): (socket: Socket, response: ServerResponse) => boolean {
  const pipelined = new WeakMap<Socket, number>();
  return (socket, response) => {
    // Only the response that is being sent has a socket; responses to pipelined requests have none yet.
    if (response.socket) return false;
    const count = (pipelined.get(socket) ?? 0) + 1;
    pipelined.set(socket, count);
    response.once('close', () => {
      pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1);
    });
    return count > PIPELINED_MAX;
  };
}
