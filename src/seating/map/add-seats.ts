import type { Static } from 'typebox';
import { newId } from '../../kernel/id.js';
import { assert } from '../../kernel/assert.js';
import type { Tx } from '../../platform/sql/index.js';
import { copySeats, insertSeats, type KeyedSeat, type NewSeat } from '../queries.js';
import type { SectionSchema } from './layout-schemas.js';

type Section = Static<typeof SectionSchema>;

/** The seats of a new date: sections that Foyer arranges, or seats with imported positions. */
export type SeatLayout = { readonly sections: readonly Section[] } | { readonly seats: readonly NewSeat[] };

/** Writes some seats of a date. */
export type WriteSeats = (tx: Tx) => Promise<void>;

/** Bounds the time of one statement, for which a running sale may have to wait. */
const SEATS_PER_BATCH = 1000;

/** The seats of a new date, all AVAILABLE. */
export function* addSeats(scheduleId: string, layout: SeatLayout): Generator<WriteSeats> {
  let position = 0;
  let batch: KeyedSeat[] = [];
  for (const seat of 'sections' in layout ? seatsOfSections(layout.sections) : layout.seats) {
    batch.push({ ...seat, id: newId(), position });
    position += 1;
    if (batch.length < SEATS_PER_BATCH) continue;
    yield insertOf(scheduleId, batch);
    batch = [];
  }
  if (batch.length > 0) yield insertOf(scheduleId, batch);
}

/** The chart of another date, with all seats AVAILABLE. Only ids and positions are sent. */
export function* copySeatsOf(
  sourceScheduleId: string,
  scheduleId: string,
  seatsTotal: number,
): Generator<WriteSeats> {
  for (let from = 0; from < seatsTotal; from += SEATS_PER_BATCH) {
    const length = Math.min(SEATS_PER_BATCH, seatsTotal - from);
    const copies = Array.from({ length }, (_, index) => ({ id: newId(), position: from + index }));
    yield async (tx) => {
      const copied = await tx.exec(copySeats, [scheduleId, sourceScheduleId, copies]);
      assert(copied === length, 'a date has fewer seats than its total');
    };
  }
}

export const countSeats = (layout: SeatLayout): number =>
  'sections' in layout
    ? layout.sections.reduce((sum, { rows, seatsPerRow }) => sum + rows * seatsPerRow, 0)
    : layout.seats.length;

export const labelOf = (section: string, row: string, number: string): string =>
  `${section} ${row}-${number}`;

const insertOf =
  (scheduleId: string, seats: readonly KeyedSeat[]): WriteSeats =>
  async (tx) => {
    await tx.exec(insertSeats, [scheduleId, seats]);
  };

function* seatsOfSections(sections: readonly Section[]): Generator<NewSeat> {
  /** Sections of one name, for example with different prices, share one sequence of rows: labels are unique. */
  const rowCounts = new Map<string, number>();
  for (const { name, rows, seatsPerRow, grade, price } of sections) {
    const columns = { section: name, number_name: null, grade, price, x: null, y: null };
    const rowsBefore = rowCounts.get(name) ?? 0;
    rowCounts.set(name, rowsBefore + rows);
    for (let row = rowsBefore + 1; row <= rowsBefore + rows; row += 1) {
      for (let number = 1; number <= seatsPerRow; number += 1) {
        const label = labelOf(name, String(row), String(number));
        yield { ...columns, row_name: String(row), number, label };
      }
    }
  }
}
