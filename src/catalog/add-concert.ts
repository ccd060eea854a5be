import { newId } from '../kernel/id.js';
import type { Tx } from '../platform/sql/index.js';
import { insertConcert, insertSchedule, insertSeats, type SeatToAdd } from './queries.js';

export interface NewSection {
  readonly name: string;
  readonly rows: number;
  readonly seatsPerRow: number;
  readonly grade: string;
  readonly price: number;
}

export interface NewConcert {
  readonly title: string;
  readonly venue: string;
  readonly description: string;
  readonly currency: string;
  readonly salesOpenAtMs: number | null;
  readonly salesCloseAtMs: number | null;
  readonly schedules: readonly NewDate[];
}

/** A date's seats: sections that Foyer lays out, or seats that have their places already. */
export type NewDate = { readonly startsAtMs: number } & (
  { readonly sections: readonly NewSection[] } | { readonly seats: readonly SeatToAdd[] }
);

export interface AddedConcert {
  readonly id: string;
  readonly schedules: readonly {
    readonly id: string;
    readonly startsAtMs: number;
    readonly seatsTotal: number;
  }[];
}

/** Seats written by one statement: large enough to be quick, small enough to stay a modest parameter. */
export const SEATS_PER_INSERT = 1000;

export async function addConcert(tx: Tx, concert: NewConcert): Promise<AddedConcert> {
  const id = newId();
  await tx.exec(insertConcert, [
    id,
    concert.title,
    concert.venue,
    concert.description,
    concert.currency,
    concert.salesOpenAtMs,
    concert.salesCloseAtMs,
    tx.nowMs,
  ]);
  const schedules: AddedConcert['schedules'][number][] = [];
  for (const date of concert.schedules) {
    const { startsAtMs } = date;
    const scheduleId = newId();
    await tx.exec(insertSchedule, [scheduleId, id, startsAtMs]);
    const drawn = 'sections' in date ? drawSeats(date.sections) : date.seats;
    const seats = drawn.map((seat, position) => ({ ...seat, id: newId(), position }));
    for (let at = 0; at < seats.length; at += SEATS_PER_INSERT) {
      await tx.exec(insertSeats, [scheduleId, seats.slice(at, at + SEATS_PER_INSERT)]);
    }
    schedules.push({ id: scheduleId, startsAtMs, seatsTotal: seats.length });
  }
  return { id, schedules };
}

export const countSeats = (date: NewDate): number =>
  'sections' in date
    ? date.sections.reduce((sum, { rows, seatsPerRow }) => sum + rows * seatsPerRow, 0)
    : date.seats.length;

export const labelOf = (section: string, row: string, number: string): string =>
  `${section} ${row}-${number}`;

function drawSeats(sections: readonly NewSection[]): SeatToAdd[] {
  const seats: SeatToAdd[] = [];
  /** Where a name comes again, as for the rows of another price, its rows go on: no two seats have one label. */
  const rowsOf = new Map<string, number>();
  for (const { name, rows, seatsPerRow, grade, price } of sections) {
    const facts = { section: name, number_name: null, grade, price, x: null, y: null };
    const before = rowsOf.get(name) ?? 0;
    rowsOf.set(name, before + rows);
    for (let row = before + 1; row <= before + rows; row += 1) {
      for (let number = 1; number <= seatsPerRow; number += 1) {
        const label = labelOf(name, String(row), String(number));
        seats.push({ ...facts, row_name: String(row), number, label });
      }
    }
  }
  return seats;
}
