import type { Static } from 'typebox';
import { newId } from '../../kernel/id.js';
import type { Tx } from '../../platform/sql/index.js';
import { copySeats, insertSeats, listSeatPositions, type NewSeat } from '../queries.js';
import type { SectionSchema } from './layout-schemas.js';

type Section = Static<typeof SectionSchema>;

/** The seats of a new date: sections that Foyer arranges, or seats with imported positions. */
export type SeatLayout = { readonly sections: readonly Section[] } | { readonly seats: readonly NewSeat[] };

/** Large enough to be fast, small enough for one statement parameter. */
const SEATS_PER_INSERT = 1000;

/** Adds the seats of a new date, all AVAILABLE, and returns how many. */
export async function addSeats(tx: Tx, scheduleId: string, layout: SeatLayout): Promise<number> {
  const newSeats = 'sections' in layout ? seatsOfSections(layout.sections) : layout.seats;
  const seats = newSeats.map((seat, position) => ({ ...seat, id: newId(), position }));
  for (let from = 0; from < seats.length; from += SEATS_PER_INSERT)
    await tx.exec(insertSeats, [scheduleId, seats.slice(from, from + SEATS_PER_INSERT)]);
  return seats.length;
}

/** Copies the chart of another date, with all seats AVAILABLE, and returns how many. Only ids and positions are sent. */
export async function copySeatsOf(tx: Tx, sourceScheduleId: string, scheduleId: string): Promise<number> {
  const positions = await tx.all(listSeatPositions, [sourceScheduleId]);
  const copies = positions.map(({ position }) => ({ id: newId(), position }));
  for (let from = 0; from < copies.length; from += SEATS_PER_INSERT)
    await tx.exec(copySeats, [scheduleId, sourceScheduleId, copies.slice(from, from + SEATS_PER_INSERT)]);
  return copies.length;
}

export const countSeats = (layout: SeatLayout): number =>
  'sections' in layout
    ? layout.sections.reduce((sum, { rows, seatsPerRow }) => sum + rows * seatsPerRow, 0)
    : layout.seats.length;

export const labelOf = (section: string, row: string, number: string): string =>
  `${section} ${row}-${number}`;

function seatsOfSections(sections: readonly Section[]): NewSeat[] {
  const seats: NewSeat[] = [];
  /** Sections of one name, for example with different prices, share one sequence of rows: labels are unique. */
  const rowCounts = new Map<string, number>();
  for (const { name, rows, seatsPerRow, grade, price } of sections) {
    const columns = { section: name, number_name: null, grade, price, x: null, y: null };
    const rowsBefore = rowCounts.get(name) ?? 0;
    rowCounts.set(name, rowsBefore + rows);
    for (let row = rowsBefore + 1; row <= rowsBefore + rows; row += 1) {
      for (let number = 1; number <= seatsPerRow; number += 1) {
        const label = labelOf(name, String(row), String(number));
        seats.push({ ...columns, row_name: String(row), number, label });
      }
    }
  }
  return seats;
}
