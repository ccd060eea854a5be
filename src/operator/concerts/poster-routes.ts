import { Type } from 'typebox';
import { POSTER_MAX_BYTES, readPoster, toConcert } from '../../catalog/index.js';
import { Refusal } from '../../kernel/refusal.js';
import { type App, IdParams, type Routes } from '../../platform/web/index.js';
import { type OperatorContext, operatorOnly, TAGS } from '../route-options.js';
import { ConcertDetailsSchema } from './schemas.js';

const MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;

/** The raw bytes. Their content decides what they are, so the schema accepts any. */
const ImageBody = {
  content: Object.fromEntries(MEDIA_TYPES.map((type) => [type, { schema: Type.Unknown() }])),
};

const isTooLarge = (error: { readonly code?: string }): boolean =>
  error.code === 'FST_ERR_CTP_BODY_TOO_LARGE';

export const posterRoutes =
  ({ sql, actions, asOperator }: Pick<OperatorContext, 'sql' | 'actions' | 'asOperator'>): Routes =>
  (app) => {
    // A scope of its own: all other calls accept JSON only. The declared type is not trusted.
    void app.register((scope: App, _options, done) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => {
        parsed(null, body);
      });

      scope.put(
        '/operator/concerts/:id/poster',
        {
          bodyLimit: POSTER_MAX_BYTES,
          schema: {
            ...TAGS,
            summary: 'Upload or replace the poster: PNG, JPEG or WebP, at most 2 MiB',
            params: IdParams,
            body: ImageBody,
            response: { 200: ConcertDetailsSchema },
          },
          config: operatorOnly(
            'CONCERT_NOT_FOUND',
            'IMAGE_DIMENSIONS_INVALID',
            'IMAGE_TOO_LARGE',
            'IMAGE_TYPE_UNSUPPORTED',
          ),
          errorHandler(error) {
            throw isTooLarge(error) ? new Refusal('IMAGE_TOO_LARGE', { limit: POSTER_MAX_BYTES }) : error;
          },
        },
        async (request) => {
          const { userId } = await asOperator(request);
          const { body }: { body: unknown } = request;
          if (!Buffer.isBuffer(body)) throw new Refusal('IMAGE_TYPE_UNSUPPORTED');
          const poster = readPoster(body);
          return toConcert(
            await sql.transaction((tx) => actions.changePoster(tx, userId, request.params.id, poster)),
          );
        },
      );
      done();
    });

    app.delete(
      '/operator/concerts/:id/poster',
      {
        schema: {
          ...TAGS,
          summary: 'Remove the poster; without one: no change',
          params: IdParams,
          response: { 200: ConcertDetailsSchema },
        },
        config: operatorOnly('CONCERT_NOT_FOUND'),
      },
      async (request) => {
        const { userId } = await asOperator(request);
        return toConcert(
          await sql.transaction((tx) => actions.changePoster(tx, userId, request.params.id, null)),
        );
      },
    );
  };
