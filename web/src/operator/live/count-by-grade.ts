import type { Chart, SeatStates } from '../../seat-map/index.js';

const HELD = 1;
const SOLD = 2;

/** The seats of a date by grade and price, in the order of the chart. */
export function countByGrade(
  { grades, seats }: Pick<Chart, 'grades'> & { readonly seats: Pick<Chart['seats'], 'count' | 'grade'> },
  { codes }: Pick<SeatStates, 'codes'>,
) {
  const counts = grades.map((grade) => ({ ...grade, sold: 0, held: 0, free: 0 }));
  for (let seat = 0; seat < seats.count; seat += 1) {
    const row = counts[seats.grade[seat] ?? 0];
    if (!row) continue;
    if (codes[seat] === SOLD) row.sold += 1;
    else if (codes[seat] === HELD) row.held += 1;
    else row.free += 1;
  }
  return counts;
}
