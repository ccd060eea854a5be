import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Sql } from '../platform/sql/index.js';
import { encodingFor, sendEncodedJson } from '../platform/web/index.js';
import type { Programme, Schedule } from './programme.js';
import type { SeatBoards } from './seat-boards.js';

/** The chart of a date is fetched once and kept by the browser; the state travels apart and is small. */
export interface SeatMap {
  sendChart(request: FastifyRequest, reply: FastifyReply, schedule: Schedule): Promise<FastifyReply>;
  sendState(request: FastifyRequest, reply: FastifyReply, schedule: Schedule): Promise<FastifyReply>;
}

/** Private: it is behind the gate. A day: nobody keeps a tab for longer, and asking again costs a 304. */
const CHART_CACHING = 'private, max-age=86400, immutable';

export function createSeatMap(deps: {
  readonly sql: Sql;
  readonly programme: Programme;
  readonly boards: SeatBoards;
}): SeatMap {
  const { sql, programme, boards } = deps;
  return {
    async sendChart(request, reply, { id, concertId }) {
      const { currency } = await programme.concert(concertId);
      const chart = (await boards.of(id)).chart(currency);
      const encoding = encodingFor(request, ['br', 'gzip']);
      const isKnown = knows(request, chart.etag);
      const body = isKnown ? undefined : await chart.body(encoding);
      reply.headers({ etag: chart.etag, 'cache-control': CHART_CACHING });
      if (!body) return reply.code(304).header('vary', 'Accept-Encoding').send();
      return sendEncodedJson(reply, body, encoding);
    },

    async sendState(request, reply, { id }) {
      const board = await boards.of(id);
      const { body, encoding } = await board.state(sql.nowMs(), encodingFor(request, ['gzip']));
      return sendEncodedJson(reply, body, encoding);
    },
  };
}

const knows = ({ headers }: FastifyRequest, etag: string): boolean => {
  const known = headers['if-none-match']?.split(',').map((tag) => tag.trim()) ?? [];
  return known.includes(etag) || known.includes('*');
};
