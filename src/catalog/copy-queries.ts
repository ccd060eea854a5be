import { type SqlParam, statement } from '../platform/sql/index.js';

/** What a seat is on its chart, whoever has it: a copy of a date has the same. */
const CHART_COLUMNS = [
  'position',
  'section',
  'row_name',
  'number',
  'number_name',
  'label',
  'grade',
  'price',
  'x',
  'y',
];

export const copySchedule = statement<
  [id: string, concertId: string, startsAtMs: number, sourceScheduleId: string]
>(
  'copy_schedule',
  `INSERT INTO schedules (id, concert_id, starts_at)
   SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS BIGINT) FROM schedules WHERE id = $4`,
);

export const listSeatPositions = statement<[scheduleId: string], { position: number }>(
  'list_seat_positions',
  `SELECT position FROM seats WHERE schedule_id = $1 ORDER BY position`,
);

export interface CopiedSeat extends Record<string, string | number> {
  id: string;
  position: number;
}

/** The seats at these positions once more, under new ids and on sale. */
export const copySeats = statement<
  [scheduleId: string, sourceScheduleId: string, copies: readonly CopiedSeat[] & SqlParam]
>(
  'copy_seats',
  (dialect) => `INSERT INTO seats (id, schedule_id, status, ${CHART_COLUMNS.join(', ')})
   SELECT c.id, CAST($1 AS TEXT), 'AVAILABLE', ${CHART_COLUMNS.map((column) => `s.${column}`).join(', ')}
   FROM ${dialect.rows('$3', { id: 'text', position: 'bigint' })} AS c
   JOIN seats s ON s.schedule_id = $2 AND s.position = c.position`,
);
