import { Type } from 'typebox';
import { Refusal } from '../../kernel/refusal.js';
import type { Sql } from '../../platform/sql/index.js';
import { closed, Id, type Routes, sendNotModified } from '../../platform/web/index.js';
import type { ConcertCache } from '../concert-cache.js';
import { parsePoster } from './poster.js';
import { createPosterCache } from './poster-cache.js';

const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  // If a browser opens it as a document, it is a picture and nothing else.
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  // A chat shows the picture of a shared link on its own site.
  'cross-origin-resource-policy': 'cross-origin',
};

/**
 * The public address of posters. The poster of a draft is served too, because operators preview it. Its address contains
 * the random id of the draft. With a wrong hash, a draft is refused like an unknown concert.
 */
export const posterRoutes =
  ({ sql, concertCache }: { readonly sql: Sql; readonly concertCache: ConcertCache }): Routes =>
  (app) => {
    const read = createPosterCache(sql);
    app.get(
      '/concerts/:id/posters/:hash',
      {
        schema: {
          tags: ['Concerts'],
          summary: 'The poster of a concert: PNG, JPEG or WebP',
          params: closed({ id: Id, hash: Type.String({ maxLength: 64 }) }),
        },
        config: { refuses: ['CONCERT_NOT_FOUND', 'NOT_FOUND'], produces: 'image/*' },
      },
      async (request, reply) => {
        const { id, hash } = request.params;
        const concert = await concertCache.concert(id);
        const poster = parsePoster(concert.poster);
        if (poster?.hash !== hash)
          throw new Refusal(concert.state === 'PUBLISHED' ? 'NOT_FOUND' : 'CONCERT_NOT_FOUND');
        const etag = `"${hash}"`;
        reply.headers({ ...HEADERS, etag });
        if (request.headers['if-none-match'] === etag) return sendNotModified(reply);
        return reply.type(poster.mediaType).send(await read(id, hash));
      },
    );
  };
