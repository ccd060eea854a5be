import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../kernel/refusal.js';
import { encodingFor, type Routes } from '../../platform/web/index.js';
import { createConcertPages } from './concert-pages.js';
import { type HeadOptions, type SharedConcert, withHead } from './document-head.js';
import { compressedDocument, type PageFile, type Pages } from './page-files.js';

/** Only from this origin, nothing inline, no framing. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "media-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The API reference (Swagger UI) loads and calls this origin only; its icons are `data:` images in its stylesheet. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Assets never change: their names contain a hash of their content. */
const CACHE_FOREVER = 'public, max-age=31536000, immutable';
/** Icons and the manifest have fixed names. */
const CACHE_A_DAY = 'public, max-age=86400';

/** Every path that the router in the browser handles, besides those of a concert. All of them return the same document. */
const PAGE_PATHS = [
  '/',
  '/sign-in',
  '/sign-up',
  '/forgot-password',
  '/reset-password',
  '/accept-invitation',
  '/verify-email',
  '/mine',
  '/account',
  '/checkout/*',
  '/receipts/*',
  '/operator',
  '/operator/*',
];

/** What the head of the served document is made from. */
export interface PageHead extends HeadOptions {
  /**
   * Returns the same object until the concert is edited. Undefined: there is no such concert, or it is a draft, or the
   * database does not answer.
   */
  readonly findConcert: (id: string) => Promise<SharedConcert | undefined>;
}

function send(request: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  reply.type(file.type).header('vary', 'accept-encoding');
  const encoding = encodingFor(request, [...file.compressed.keys()]);
  const compressed = file.compressed.get(encoding);
  if (compressed) reply.header('content-encoding', encoding);
  return reply.send(compressed ?? file.bytes);
}

/** 304 if the client has this version. */
function sendUnlessKnown(request: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  reply.header('etag', file.etag);
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  return send(request, reply, file);
}

const sendDocument = (
  request: FastifyRequest,
  reply: FastifyReply,
  file: PageFile,
  policy = POLICY,
): FastifyReply =>
  sendUnlessKnown(
    request,
    reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-cache' }),
    file,
  );

/** Browsers accept HTML when they open a page; programs do not. */
const wantsPage = ({ method, url, headers: { accept = '' } }: FastifyRequest): boolean =>
  method === 'GET' && accept.includes('text/html') && !/^\/(?:api|assets)\//.test(url);

/** Sends the 404 page to a browser. Returns false, without sending, for any other client. */
export function sendNotFoundPage(
  pages: Pages | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const index = pages?.get('/index.html');
  if (!index || !wantsPage(request)) return false;
  send(request, reply.code(404).header('content-security-policy', POLICY), index);
  return true;
}

const isDocument = (path: string): boolean => path.endsWith('.html');
/** Not in a folder: an icon, the manifest. */
const isAtRoot = (path: string): boolean => path.lastIndexOf('/') === 0;

/** The web pages and the API reference, from memory. Without them the bare address leads to the API description. */
export const pagesRoutes =
  (pages: Pages | undefined, head: PageHead): Routes =>
  (app) => {
    const schema = { hide: true };
    const template = pages?.get('/index.html')?.bytes.toString();
    if (!pages || template === undefined) {
      app.get('/', { schema }, (_request, reply) => reply.redirect('/openapi.json'));
      return;
    }
    const index = compressedDocument(withHead(template, head));

    for (const path of PAGE_PATHS)
      app.get(path, { schema }, (request, reply) => sendDocument(request, reply, index));

    const pageOf = createConcertPages(template, head);
    const sendConcert = async (request: FastifyRequest<{ Params: { id: string } }>, reply: FastifyReply) => {
      const concert = await head.findConcert(request.params.id);
      return sendDocument(request, reply, concert ? pageOf(concert) : index);
    };
    app.get('/concerts/:id', { schema }, sendConcert);
    app.get('/concerts/:id/*', { schema }, sendConcert);

    const docs = pages.get('/docs.html');
    if (docs)
      app.get('/docs', { schema }, (request, reply) => sendDocument(request, reply, docs, DOCS_POLICY));

    for (const [path, file] of pages)
      if (isAtRoot(path) && !isDocument(path))
        app.get(path, { schema }, (request, reply) =>
          sendUnlessKnown(
            request,
            // A chat shows the picture of a shared link on its own site.
            reply.headers({ 'cache-control': CACHE_A_DAY, 'cross-origin-resource-policy': 'cross-origin' }),
            file,
          ),
        );

    app.get('/assets/*', { schema }, (request, reply) => {
      const [path = ''] = request.url.split('?');
      const file = pages.get(path);
      if (!file) throw new Refusal('NOT_FOUND');
      return send(request, reply.header('cache-control', CACHE_FOREVER), file);
    });
  };
