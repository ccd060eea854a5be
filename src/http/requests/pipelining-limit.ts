import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** More than anybody means: browsers never send ahead, and load generators a few requests. */
const AHEAD_MAX = 64;

/**
 * Requests sent without waiting for the answers to those before are parsed as fast as they come, and each is kept until
 * its turn: a connection could make the server keep thousands. Says of a request whether it is one too many on its connection.
 */
export function createPipeliningLimit(): (socket: Socket, response: ServerResponse) => boolean {
  const ahead = new WeakMap<Socket, number>();
  return (socket, response) => {
    // The first in line has the connection to answer through; those behind it do not yet.
    if (response.socket) return false;
    const count = (ahead.get(socket) ?? 0) + 1;
    ahead.set(socket, count);
    response.once('close', () => {
      ahead.set(socket, (ahead.get(socket) ?? 1) - 1);
    });
    return count > AHEAD_MAX;
  };
}
