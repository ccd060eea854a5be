import { minOf, rangeOf } from './min-max.js';
import type { SeatGeometry } from './seat-geometry.js';

/** Adjacent seats of one row without an aisle between them, by their index in chart order. */
export interface SeatRun {
  readonly seats: readonly number[];
  /** The distance of each seat from the centre of the stage's front edge. */
  readonly distances: readonly number[];
  readonly nearest: number;
}

/** Neighbours are about 1 apart; a larger gap is an aisle. */
const NEIGHBOUR_MAX = 1.6;
/** A seat to the side is better than a seat equally far to the back. */
const SIDEWAYS_WEIGHT = 0.5;

/** All runs of a date, nearest to the stage first. */
export function seatRunsOf(geometry: SeatGeometry): SeatRun[] {
  const { stage, x, y, rowOf } = geometry;
  const centre = stage.x + stage.width / 2;
  const front = stage.y + stage.height;
  const distanceOf = (seat: number): number =>
    Math.hypot(((x[seat] ?? 0) - centre) * SIDEWAYS_WEIGHT, (y[seat] ?? 0) - front);

  const rows: number[][] = geometry.rows.map(() => []);
  rowOf.forEach((row, seat) => rows[row]?.push(seat));
  return rows
    .flatMap((row) => splitAtAisles(sortAlongRow(row, geometry), geometry))
    .map((seats) => {
      const distances = seats.map(distanceOf);
      return { seats, distances, nearest: minOf(distances) };
    })
    .sort((a, b) => a.nearest - b.nearest || (a.seats[0] ?? 0) - (b.seats[0] ?? 0));
}

/** Seats may be listed in any order, and a row at the side may run from front to back. */
export function sortAlongRow(row: readonly number[], { x, y }: Pick<SeatGeometry, 'x' | 'y'>): number[] {
  const isSideways = rangeOf(row.map((seat) => x[seat] ?? 0)) >= rangeOf(row.map((seat) => y[seat] ?? 0));
  const along = isSideways ? x : y;
  return [...row].sort((a, b) => (along[a] ?? 0) - (along[b] ?? 0) || a - b);
}

function splitAtAisles(row: readonly number[], { x, y }: SeatGeometry): number[][] {
  const runs: number[][] = [];
  row.forEach((seat, index) => {
    const previous = row[index - 1];
    const isNeighbour =
      previous !== undefined &&
      Math.hypot((x[seat] ?? 0) - (x[previous] ?? 0), (y[seat] ?? 0) - (y[previous] ?? 0)) <= NEIGHBOUR_MAX;
    if (isNeighbour) runs.at(-1)?.push(seat);
    else runs.push([seat]);
  });
  return runs;
}
