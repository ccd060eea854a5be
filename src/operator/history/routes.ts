import { IdParams, type Routes } from '../../platform/web/index.js';
import { type OperatorContext, operatorOnly, TAGS } from '../route-options.js';
import { HistorySchema, readHistory, SAMPLE_EVERY_SECONDS } from './history.js';

export const historyRoutes =
  ({ sql, concertCache, asOperator }: Pick<OperatorContext, 'sql' | 'concertCache' | 'asOperator'>): Routes =>
  (app) => {
    app.get(
      '/operator/concerts/:id/history',
      {
        schema: {
          ...TAGS,
          summary:
            'How the sale went in the last hour, oldest first; `admitted` and `joined` within each period',
          params: IdParams,
          response: { 200: HistorySchema },
        },
        config: operatorOnly('CONCERT_NOT_FOUND'),
      },
      async (request) => {
        await asOperator(request);
        const { id } = await concertCache.concert(request.params.id);
        const items = await readHistory(sql.reader, id, sql.nowMs());
        return { everySeconds: SAMPLE_EVERY_SECONDS, items };
      },
    );
  };
