import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendJson } from './app.js';

export type Encoding = 'br' | 'gzip' | 'identity';

/** The first offered encoding that the `Accept-Encoding` header accepts, otherwise `identity`. */
export function encodingFor(
  request: Pick<FastifyRequest, 'headers'>,
  offered: readonly Encoding[],
): Encoding {
  const header = request.headers['accept-encoding'];
  const choices = typeof header === 'string' ? header.toLowerCase().split(',').map(parseChoice) : [];
  const find = (wanted: string) => choices.find(({ name }) => name === wanted);
  return offered.find((encoding) => (find(encoding) ?? find('*'))?.isAccepted) ?? 'identity';
}

/** `gzip;q=0` means: do not send gzip. */
function parseChoice(text: string): { name: string; isAccepted: boolean } {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim());
  return { name, isAccepted: !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) };
}

/** Sends JSON that is already compressed. */
export function sendEncodedJson(reply: FastifyReply, json: Buffer, encoding: Encoding): FastifyReply {
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return sendJson(reply, json);
}

export const sendNotModified = (reply: FastifyReply): FastifyReply => reply.code(304).send();
