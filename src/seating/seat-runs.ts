import { minOf, spread } from './min-max.js';
import type { SeatGeometry } from './seat-geometry.js';

/** Seats side by side without an aisle between them, by their places on the chart. */
export interface SeatRun {
  readonly seats: readonly number[];
  /** How far each is from the middle of the stage's front. */
  readonly distances: readonly number[];
  readonly nearest: number;
}

/** Neighbours are about 1 apart; further than this there is an aisle between them. */
const NEIGHBOUR_MAX = 1.6;
/** A seat to the side is better than one as far to the back. */
const SIDEWAYS = 0.5;

/** All banks of a hall, the nearest to the stage first. */
export function seatRunsOf(plan: SeatGeometry): SeatRun[] {
  const { stage, x, y, rowOf } = plan;
  const middle = stage.x + stage.width / 2;
  const front = stage.y + stage.height;
  const distanceOf = (seat: number): number =>
    Math.hypot(((x[seat] ?? 0) - middle) * SIDEWAYS, (y[seat] ?? 0) - front);

  const rows: number[][] = plan.rows.map(() => []);
  rowOf.forEach((row, seat) => rows[row]?.push(seat));
  const runs = rows.flatMap((row) => split(alongTheRow(row, plan), plan));
  return runs
    .map((seats) => {
      const distances = seats.map(distanceOf);
      return { seats, distances, nearest: minOf(distances) };
    })
    .sort((a, b) => a.nearest - b.nearest || (a.seats[0] ?? 0) - (b.seats[0] ?? 0));
}

/** In the order in which they stand, however the plan lists them; a row at the side may run from front to back. */
export function alongTheRow(row: readonly number[], { x, y }: Pick<SeatGeometry, 'x' | 'y'>): number[] {
  const along = spread(row.map((seat) => x[seat] ?? 0)) >= spread(row.map((seat) => y[seat] ?? 0)) ? x : y;
  return [...row].sort((a, b) => (along[a] ?? 0) - (along[b] ?? 0) || a - b);
}

function split(row: readonly number[], { x, y }: SeatGeometry): number[][] {
  const runs: number[][] = [];
  row.forEach((seat, index) => {
    const before = row[index - 1];
    const isNeighbour =
      before !== undefined &&
      Math.hypot((x[seat] ?? 0) - (x[before] ?? 0), (y[seat] ?? 0) - (y[before] ?? 0)) <= NEIGHBOUR_MAX;
    if (isNeighbour) runs.at(-1)?.push(seat);
    else runs.push([seat]);
  });
  return runs;
}
