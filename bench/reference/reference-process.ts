/**
 * Child process of `reference-servers.ts`: a server that only returns a fixed body. `fastify` is an empty route of the
 * framework that Foyer uses, `http` is Node.js without a framework.
 */
import fastify from 'fastify';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const LONG_BODY_CHARS = 16_384;
const [kind, bytes] = process.argv.slice(2);
const text = JSON.stringify('x'.repeat(Math.max(0, Number(bytes) - 2)));
/** Node.js sends a short body fastest as text, in one write with the head, and a long one as bytes, which need no encoding. */
const body = text.length < LONG_BODY_CHARS ? text : Buffer.from(text);
const CONTENT_TYPE = 'application/json; charset=utf-8';

async function listenFastify(): Promise<number> {
  const app = fastify({ logger: false });
  app.get('/', (_request, reply) => reply.type(CONTENT_TYPE).send(body));
  await app.listen({ host: '127.0.0.1', port: 0 });
  return portOf(app.server.address());
}

async function listenHttp(): Promise<number> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': CONTENT_TYPE, 'content-length': body.length });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return portOf(server.address());
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the reference server has no port');
  return address.port;
}

process.send?.({ port: await (kind === 'fastify' ? listenFastify() : listenHttp()) });
