import {
  AuditEntrySchema,
  type AuditRow,
  listAuditEntries,
  listAuditEntriesOfConcert,
  toAuditEntry,
} from '../../audit/index.js';
import {
  IdParams,
  listOf,
  pageOfRows,
  PageQuery,
  type PageRequest,
  type Position,
  type Routes,
} from '../../platform/web/index.js';
import { type OperatorContext, operatorOnly, TAGS } from '../route-options.js';

export const auditRoutes =
  ({ sql, concertCache, asOperator }: Pick<OperatorContext, 'sql' | 'concertCache' | 'asOperator'>): Routes =>
  (app) => {
    app.get(
      '/operator/concerts/:id/audit',
      {
        schema: {
          ...TAGS,
          summary: 'Who did what with a concert, newest first',
          params: IdParams,
          querystring: PageQuery,
          response: { 200: listOf(AuditEntrySchema) },
        },
        config: operatorOnly('CONCERT_NOT_FOUND'),
      },
      async (request) => {
        await asOperator(request);
        const { id } = await concertCache.concert(request.params.id);
        return page(request.query, (before, limit) =>
          sql.reader.all(listAuditEntriesOfConcert, [id, ...before, limit]),
        );
      },
    );

    app.get(
      '/operator/audit',
      {
        schema: {
          ...TAGS,
          summary: 'Who did what, newest first: every concert, sign-ins, searches, exports and operators',
          querystring: PageQuery,
          response: { 200: listOf(AuditEntrySchema) },
        },
        config: operatorOnly(),
      },
      async (request) => {
        await asOperator(request);
        return page(request.query, (before, limit) => sql.reader.all(listAuditEntries, [...before, limit]));
      },
    );
  };

const page = (
  request: PageRequest,
  read: (before: Position, limit: number) => Promise<readonly AuditRow[]>,
) => pageOfRows(request, read, toAuditEntry, (row) => [row.createdAtMs, row.id]);
