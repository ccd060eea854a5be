import { IdParams, listOf, pageOfRows, PageQuery, type Routes } from '../../platform/web/index.js';
import { type OperatorContext, operatorOnly, TAGS } from '../route-options.js';
import { AuditEntrySchema, toAuditEntry } from './audit.js';
import { listAuditEntries } from './queries.js';

export const auditRoutes =
  ({ sql, concertCache, asOperator }: Pick<OperatorContext, 'sql' | 'concertCache' | 'asOperator'>): Routes =>
  (app) => {
    app.get(
      '/operator/concerts/:id/audit',
      {
        schema: {
          ...TAGS,
          summary: 'Who changed what, newest first',
          params: IdParams,
          querystring: PageQuery,
          response: { 200: listOf(AuditEntrySchema) },
        },
        config: operatorOnly('CONCERT_NOT_FOUND'),
      },
      async (request) => {
        await asOperator(request);
        const { id } = await concertCache.concert(request.params.id);
        return pageOfRows(
          request.query,
          (before, limit) => sql.reader.all(listAuditEntries, [id, ...before, limit]),
          toAuditEntry,
          (row) => [row.createdAtMs, row.id],
        );
      },
    );
  };
