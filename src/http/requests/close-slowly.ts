import type { Socket } from 'node:net';
import { SECOND_MS } from '../../kernel/time.js';

/** How long the client has to receive the last response before the connection is destroyed. */
const LINGER_MS = 2 * SECOND_MS;

/**
 * For a connection that closes although the client is still sending. Node calls `destroySoon` after a response with
 * `Connection: close`. Destroying a connection with unread data resets it, and a reset discards responses that the client, or a
 * proxy in between, has not received yet.
 */
export function closeSlowly(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}
