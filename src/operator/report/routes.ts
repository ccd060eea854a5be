import { IdParams, type Routes } from '../../platform/web/index.js';
import { type OperatorContext, operatorOnly, TAGS } from '../route-options.js';
import { SaleReportSchema } from './report-schema.js';

export const reportRoutes =
  ({
    reports,
    concertCache,
    asOperator,
  }: Pick<OperatorContext, 'reports' | 'concertCache' | 'asOperator'>): Routes =>
  (app) => {
    app.get(
      '/operator/concerts/:id/report',
      {
        schema: {
          ...TAGS,
          summary: 'The report of a sale: preliminary while it runs, kept once it has ended',
          params: IdParams,
          response: { 200: SaleReportSchema },
        },
        config: operatorOnly('CONCERT_NOT_FOUND'),
      },
      async (request) => {
        await asOperator(request);
        const { id } = await concertCache.concert(request.params.id);
        return reports.read(id);
      },
    );
  };
