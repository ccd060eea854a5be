import {
  type Catalog,
  CONCERT_COLUMNS,
  CONCERT_COMPLETE,
  CONCERT_SEATS_TOTAL,
  type ConcertRow,
  listSectionsOf,
  parseSections,
  toConcert,
} from '../../catalog/index.js';
import { Refusal } from '../../kernel/refusal.js';
import { iso } from '../../kernel/time.js';
import { type Sql, statement } from '../../platform/sql/index.js';
import { pageOfRows, type PageRequest } from '../../platform/web/index.js';
import { CONCERT_SEATS_UNSOLD, concertSoldOutAt, type Seating } from '../../seating/index.js';
import type { WaitingRoom } from '../../waiting-room/index.js';
import { CONCERT_REVENUE } from '../sales/queries.js';

interface ConcertViewRow extends ConcertRow {
  firstStartsAtMs: number;
  dates: number;
  seatsTotal: number;
  seatsUnsold: number;
  soldOut: 0 | 1;
  revenue: number;
}

const columnsAt = (
  nowMs: string,
): string => `${CONCERT_COLUMNS}, (SELECT min(starts_at) FROM schedules WHERE concert_id = c.id) AS "firstStartsAtMs",
  (SELECT count(*) FROM schedules WHERE concert_id = c.id) AS dates,
  ${CONCERT_SEATS_TOTAL} AS "seatsTotal", ${CONCERT_SEATS_UNSOLD} AS "seatsUnsold",
  ${concertSoldOutAt(nowMs)} AS "soldOut", ${CONCERT_REVENUE} AS revenue`;

const listConcerts = statement<
  [beforeMs: number, beforeId: string, limit: number, nowMs: number],
  ConcertViewRow
>(
  'list_operator_concerts',
  `SELECT ${columnsAt('$4')} FROM concerts c WHERE ${CONCERT_COMPLETE} AND (c.created_at, c.id) < ($1, $2)
   ORDER BY c.created_at DESC, c.id DESC LIMIT $3`,
);

const findConcert = statement<[concertId: string, nowMs: number], ConcertViewRow>(
  'find_operator_concert',
  `SELECT ${columnsAt('$2')} FROM concerts c WHERE c.id = $1 AND ${CONCERT_COMPLETE}`,
);

/** Reads concerts as the operator API shows them: with policy, sales, waiting fans and, for a single concert, dates and sections. */
export function createConcertViews(deps: {
  readonly sql: Sql;
  readonly catalog: Pick<Catalog, 'concertCache'>;
  readonly seating: Pick<Seating, 'counts'>;
  readonly waitingRoom: Pick<WaitingRoom, 'policyOf' | 'occupancyOf'>;
}) {
  const { sql, catalog, seating, waitingRoom } = deps;

  const toConcertView = ({ seatsUnsold, soldOut, firstStartsAtMs, ...row }: ConcertViewRow) => ({
    ...toConcert(row),
    soldOut: soldOut === 1,
    waitingRoom: waitingRoom.policyOf(row.id),
    firstStartsAt: iso(firstStartsAtMs),
    lastStartsAt: iso(row.lastStartsAtMs),
    seatsSold: row.seatsTotal - seatsUnsold,
    ...waitingRoom.occupancyOf(row.id),
  });

  async function datesOf(concertId: string) {
    const dates = await catalog.concertCache.schedulesOf(concertId);
    const rows = await sql.desk.all(listSectionsOf, [concertId]);
    const sectionsById = new Map(rows.map(({ id, sections }) => [id, parseSections(sections)]));
    return Promise.all(
      dates.map(async (date) => {
        const { total, available, held, sold } = await seating.counts.of(date);
        return {
          id: date.id,
          startsAt: iso(date.startsAtMs),
          seatsTotal: total,
          seatsRemaining: available,
          seatsHeld: held,
          seatsSold: sold,
          soldOut: sold === total,
          sections: sectionsById.get(date.id) ?? [],
        };
      }),
    );
  }

  return {
    list: (query: PageRequest) =>
      pageOfRows(
        query,
        async (before, limit) => {
          const rows = await sql.desk.all(listConcerts, [...before, limit, sql.nowMs()]);
          // The rows may contain a concert that another process has just added: wait until its policy is known here.
          await sql.waitForChanges();
          return rows;
        },
        toConcertView,
        (row) => [row.createdAtMs, row.id],
      ),

    async find(concertId: string) {
      const row = await sql.desk.get(findConcert, [concertId, sql.nowMs()]);
      if (!row) throw new Refusal('CONCERT_NOT_FOUND');
      return { ...toConcertView(row), schedules: await datesOf(concertId) };
    },
  };
}
