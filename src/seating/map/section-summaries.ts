import { gradesOf } from '../inventory/seat-chart.js';
import type { SeatLayout } from './add-seats.js';

/** The seats of one section with one grade and price. Two sections of a name may differ in both. */
export interface SectionSummary {
  readonly name: string;
  readonly grade: string;
  readonly price: number;
  readonly seats: number;
}

/** What a date's chart adds up to, in chart order. It is stored with the date, because it never changes. */
export function summarizeSections(layout: SeatLayout): SectionSummary[] {
  const summaries = new Map<string, SectionSummary>();
  const add = (section: SectionSummary): void => {
    const key = JSON.stringify([section.name, section.grade, section.price]);
    const seats = (summaries.get(key)?.seats ?? 0) + section.seats;
    summaries.set(key, { ...section, seats });
  };
  if ('sections' in layout) {
    for (const { name, grade, price, rows, seatsPerRow } of layout.sections)
      add({ name, grade, price, seats: rows * seatsPerRow });
  } else {
    for (const { section, grade, price } of layout.seats) add({ name: section, grade, price, seats: 1 });
  }
  return [...summaries.values()];
}

export const totalOf = (sections: readonly SectionSummary[]): number =>
  sections.reduce((sum, { seats }) => sum + seats, 0);

/** How many seats a date has at one grade and price. */
export interface GradeSeats {
  readonly grade: string;
  readonly price: number;
  readonly seats: number;
}

/** Highest price first. */
export const seatsByGrade = (sections: readonly SectionSummary[]): GradeSeats[] =>
  gradesOf(sections).map(({ grade, price }) => ({
    grade,
    price,
    seats: totalOf(sections.filter((section) => section.grade === grade && section.price === price)),
  }));
