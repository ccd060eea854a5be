import { type Catalog, CONCERT_COLUMNS, type ConcertRow, toConcert } from '../catalog/index.js';
import { Refusal } from '../kernel/refusal.js';
import { iso } from '../kernel/time.js';
import { type Sql, statement } from '../platform/sql/index.js';
import { pageOfRows, type PageRequest } from '../platform/web/index.js';
import { CONCERT_SEATS_TOTAL, CONCERT_SEATS_UNSOLD, listSections, type Seating } from '../seating/index.js';
import type { WaitingRoom } from '../waiting-room/index.js';

interface DeskConcertRow extends ConcertRow {
  seatsTotal: number;
  seatsUnsold: number;
}

const COLUMNS = `${CONCERT_COLUMNS}, ${CONCERT_SEATS_TOTAL} AS "seatsTotal", ${CONCERT_SEATS_UNSOLD} AS "seatsUnsold"`;

const listDeskConcerts = statement<[beforeMs: number, beforeId: string, limit: number], DeskConcertRow>(
  'list_desk_concerts',
  `SELECT ${COLUMNS} FROM concerts c WHERE (c.created_at, c.id) < ($1, $2)
   ORDER BY c.created_at DESC, c.id DESC LIMIT $3`,
);

const findDeskConcert = statement<[concertId: string], DeskConcertRow>(
  'find_desk_concert',
  `SELECT ${COLUMNS} FROM concerts c WHERE c.id = $1`,
);

/** The concerts as their promoter sees them, with what is known of each only here. */
export function createDeskConcerts(deps: {
  readonly sql: Sql;
  readonly catalog: Pick<Catalog, 'concertCache'>;
  readonly seating: Pick<Seating, 'inventories'>;
  readonly waitingRoom: Pick<WaitingRoom, 'policyOf'>;
}) {
  const { sql, catalog, seating, waitingRoom } = deps;

  const toDeskConcert = ({ seatsUnsold, ...row }: DeskConcertRow) => ({
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
        const { total, available, sold } = (await seating.inventories.of(id)).counts(nowMs);
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
          const rows = await sql.reader.all(listDeskConcerts, [...before, limit]);
          // A concert that another process has just added is listed already: its policy must be known too.
          await sql.waitForChanges();
          return rows;
        },
        toDeskConcert,
        (row) => [row.createdAtMs, row.id],
      ),

    async find(concertId: string) {
      const row = await sql.reader.get(findDeskConcert, [concertId]);
      if (!row) throw new Refusal('CONCERT_NOT_FOUND');
      return { ...toDeskConcert(row), schedules: await datesOf(concertId) };
    },
  };
}
