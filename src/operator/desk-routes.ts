import type { FastifyRequest } from 'fastify';
import type { Catalog } from '../catalog/index.js';
import type { Caller } from '../kernel/caller.js';
import { RefundSchema } from '../payments/index.js';
import type { Sql } from '../platform/sql/index.js';
import {
  IdParams,
  listOf,
  NoBody,
  type Idempotently,
  pageOfRows,
  PageQuery,
  type Routes,
} from '../platform/web/index.js';
import type { Seating } from '../seating/index.js';
import type { WaitingRoom } from '../waiting-room/index.js';
import { AuditEntrySchema, toAuditEntry } from './audit.js';
import { listAuditEntries } from './audit-queries.js';
import type { Desk } from './desk.js';
import { createDeskConcerts } from './desk-concerts.js';
import { readHistory, SAMPLE_EVERY_SECONDS } from './history.js';
import { GUARDED, TAGS } from './route-words.js';
import {
  AddedConcertSchema,
  DeskConcertSchema,
  DeskConcertWithDatesSchema,
  DuplicateSchema,
  HistorySchema,
} from './schemas.js';
import { toAdded } from './to-added.js';

/** What a promoter looks at between sales and during one, and what goes out from there. */
export const deskRoutes =
  (deps: {
    readonly sql: Sql;
    readonly desk: Pick<Desk, 'duplicate' | 'refund'>;
    readonly catalog: Pick<Catalog, 'concertCache'>;
    readonly seating: Pick<Seating, 'inventories'>;
    readonly waitingRoom: Pick<WaitingRoom, 'policyOf'>;
    readonly idempotently: Idempotently;
    readonly asOperator: (request: FastifyRequest) => Promise<Caller>;
  }): Routes =>
  (app) => {
    const { sql, desk, catalog, idempotently, asOperator } = deps;
    const concerts = createDeskConcerts(deps);
    const ofConcert = { credential: 'operator', refuses: [...GUARDED, 'CONCERT_NOT_FOUND'] } as const;

    app.get(
      '/operator/concerts',
      {
        schema: {
          ...TAGS,
          summary: 'All concerts with their policies and sales, newest first',
          querystring: PageQuery,
          response: { 200: listOf(DeskConcertSchema) },
        },
        config: { credential: 'operator', refuses: GUARDED },
      },
      async (request) => {
        await asOperator(request);
        return concerts.list(request.query);
      },
    );

    app.get(
      '/operator/concerts/:id',
      {
        schema: {
          ...TAGS,
          summary: 'One concert with its dates and their sections',
          params: IdParams,
          response: { 200: DeskConcertWithDatesSchema },
        },
        config: ofConcert,
      },
      async (request) => {
        await asOperator(request);
        return concerts.find(request.params.id);
      },
    );

    app.post(
      '/operator/concerts/:id/duplicate',
      {
        schema: {
          ...TAGS,
          summary: 'Add the same concert again on other dates: same charts, same policy, nothing sold',
          params: IdParams,
          body: DuplicateSchema,
          response: { 201: AddedConcertSchema },
        },
        config: { ...ofConcert, idempotent: true },
      },
      async (request, reply) => {
        const caller = await asOperator(request);
        return idempotently(request, reply, caller, async (tx) => {
          const added = await desk.duplicate(tx, caller.userId, request.params.id, request.body);
          return { status: 201, body: toAdded(added) };
        });
      },
    );

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
        config: ofConcert,
      },
      async (request) => {
        await asOperator(request);
        const { id } = await catalog.concertCache.concert(request.params.id);
        const items = await readHistory(sql.reader, id, sql.nowMs());
        return { everySeconds: SAMPLE_EVERY_SECONDS, items };
      },
    );

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
        config: ofConcert,
      },
      async (request) => {
        await asOperator(request);
        const { id } = await catalog.concertCache.concert(request.params.id);
        return pageOfRows(
          request.query,
          (before, limit) => sql.reader.all(listAuditEntries, [id, ...before, limit]),
          toAuditEntry,
          (row) => [row.createdAtMs, row.id],
        );
      },
    );

    app.post(
      '/operator/payments/:id/refund',
      {
        schema: {
          ...TAGS,
          summary: 'Give a payment back: the money to the wallet, the seats to whoever wants them',
          params: IdParams,
          body: NoBody,
          response: { 200: RefundSchema, 201: RefundSchema },
        },
        config: {
          credential: 'operator',
          idempotent: true,
          refuses: [...GUARDED, 'PAYMENT_NOT_FOUND', 'BALANCE_LIMIT_EXCEEDED'],
        },
      },
      async (request, reply) => {
        const caller = await asOperator(request);
        return idempotently(request, reply, caller, async (tx) => {
          const { refund, isNew } = await desk.refund(tx, caller.userId, request.params.id);
          return { status: isNew ? 201 : 200, body: refund };
        });
      },
    );
  };
