import type { FastifyReply } from 'fastify';

/**
 * Aborted when the connection closes before the response was sent. Fastify's `request.signal` cannot be used: it is aborted as soon
 * as the body of the request has been read.
 */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  // Also emitted after the response was sent, when nobody waits for the signal any more.
  raw.once('close', () => {
    controller.abort();
  });
  return controller.signal;
}
