import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendJson } from './app.js';

export type Encoding = 'br' | 'gzip' | 'identity';

/** The first of those offered that the client takes by its `Accept-Encoding`; as it is when it takes none. */
export function encodingFor(
  request: Pick<FastifyRequest, 'headers'>,
  offered: readonly Encoding[],
): Encoding {
  const header = request.headers['accept-encoding'];
  const taken = typeof header === 'string' ? header.toLowerCase().split(',').map(readChoice) : [];
  const isTaken = (encoding: Encoding): boolean =>
    (taken.find(({ name }) => name === encoding) ?? taken.find(({ name }) => name === '*'))?.isWanted ??
    false;
  return offered.find(isTaken) ?? 'identity';
}

/** `gzip;q=0` is a no. */
function readChoice(text: string): { name: string; isWanted: boolean } {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim());
  return { name, isWanted: !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) };
}

/** Sends JSON that has been compressed already. */
export function sendEncodedJson(reply: FastifyReply, json: Buffer, encoding: Encoding): FastifyReply {
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return sendJson(reply, json);
}

/** The client has it already. */
export const sendNotModified = (reply: FastifyReply): FastifyReply => reply.code(304).send();
