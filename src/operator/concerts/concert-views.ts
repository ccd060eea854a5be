import { type Catalog, CONCERT_COLUMNS, type ConcertRow, toConcert, UNSOLD } from '../../catalog/index.js';
import { Refusal } from '../../kernel/refusal.js';
import { iso } from '../../kernel/time.js';
import { type Sql, statement } from '../../platform/sql/index.js';
import { pageOfRows, type PageRequest } from '../../platform/web/index.js';
import type { WaitingRoom } from '../../waiting-room/index.js';

interface ConcertViewRow extends ConcertRow {
  seatsTotal: number;
  seatsUnsold: number;
}

const SEATS_OF = `SELECT count(*) FROM schedules d JOIN seats s ON s.schedule_id = d.id WHERE d.concert_id = c.id`;
/** Counts all seats and unsold seats, because indexes cover both; sold seats are the difference. */
const COLUMNS = `${CONCERT_COLUMNS}, (${SEATS_OF}) AS "seatsTotal", (${SEATS_OF} AND ${UNSOLD}) AS "seatsUnsold"`;

const listConcerts = statement<[beforeMs: number, beforeId: string, limit: number], ConcertViewRow>(
  'list_operator_concerts',
  `SELECT ${COLUMNS} FROM concerts c WHERE (c.created_at, c.id) < ($1, $2)
   ORDER BY c.created_at DESC, c.id DESC LIMIT $3`,
);

const findConcert = statement<[concertId: string], ConcertViewRow>(
  'find_operator_concert',
  `SELECT ${COLUMNS} FROM concerts c WHERE c.id = $1`,
);

const listSections = statement<
  [scheduleId: string],
  { name: string; grade: string; price: number; seats: number }
>(
  'list_sections',
  `SELECT section AS name, grade, price, count(*) AS seats FROM seats WHERE schedule_id = $1
   GROUP BY section, grade, price ORDER BY min(position)`,
);

/** Reads concerts as the operator API shows them: with policy, seat counts and, for a single concert, dates and sections. */
export function createConcertViews(deps: {
  readonly sql: Sql;
  readonly catalog: Pick<Catalog, 'concertCache' | 'inventories'>;
  readonly waitingRoom: Pick<WaitingRoom, 'policyOf'>;
}) {
  const { sql, catalog, waitingRoom } = deps;

  const toConcertView = ({ seatsUnsold, ...row }: ConcertViewRow) => ({
    ...toConcert(row),
    soldOut: seatsUnsold === 0,
    waitingRoom: waitingRoom.policyOf(row.id),
    seatsSold: row.seatsTotal - seatsUnsold,
  });

  async function datesOf(concertId: string) {
    const nowMs = sql.nowMs();
    const dates = await catalog.concertCache.schedulesOf(concertId);
    return Promise.all(
      dates.map(async ({ id, startsAtMs }) => {
        const { total, available, sold } = (await catalog.inventories.of(id)).counts(nowMs);
        return {
          id,
          startsAt: iso(startsAtMs),
          seatsTotal: total,
          seatsRemaining: available,
          soldOut: sold === total,
          sections: await sql.reader.all(listSections, [id]),
        };
      }),
    );
  }

  return {
    list: (query: PageRequest) =>
      pageOfRows(
        query,
        async (before, limit) => {
          const rows = await sql.reader.all(listConcerts, [...before, limit]);
          // The rows may contain a concert that another process has just added: wait until its policy is known here.
          await sql.waitForChanges();
          return rows;
        },
        toConcertView,
        (row) => [row.createdAtMs, row.id],
      ),

    async find(concertId: string) {
      const row = await sql.reader.get(findConcert, [concertId]);
      if (!row) throw new Refusal('CONCERT_NOT_FOUND');
      return { ...toConcertView(row), schedules: await datesOf(concertId) };
    },
  };
}
