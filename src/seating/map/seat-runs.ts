import type { SeatRow } from '../queries.js';
import { minOf, rangeOf } from './min-max.js';
import type { SeatGeometry } from './seat-geometry.js';

/** Adjacent seats of one row without an aisle between them, by their index in chart order. */
export interface SeatRun {
  readonly seats: readonly number[];
  /** The rank of each seat's grade: 0 is the dearest. */
  readonly ranks: readonly number[];
  /** How far each seat is from the stage; a seat at the side counts as further away. */
  readonly distances: readonly number[];
  /** The lowest of the ranks and of the distances. */
  readonly bestRank: number;
  readonly nearest: number;
}

/** Neighbours are about 1 apart; a larger gap is an aisle. */
const NEIGHBOUR_MAX = 1.6;
const RIGHT_ANGLE = Math.PI / 2;

/** All runs of a date: the best grade first, and within a grade nearest to the stage first. `seats` are in chart order. */
export function seatRunsOf(
  geometry: SeatGeometry,
  chartSeats: readonly Pick<SeatRow, 'grade' | 'price'>[],
): SeatRun[] {
  const { rowOf } = geometry;
  const ranks = rankGrades(chartSeats);
  const distanceOf = distancesFromStage(geometry);

  const rows: number[][] = geometry.rows.map(() => []);
  rowOf.forEach((row, seat) => rows[row]?.push(seat));
  return rows
    .flatMap((row) => splitAtAisles(sortAlongRow(row, geometry), geometry))
    .map((seats) => {
      const distances = seats.map(distanceOf);
      const ranksOfRun = seats.map((seat) => ranks.get(chartSeats[seat]?.grade ?? '') ?? 0);
      return {
        seats,
        ranks: ranksOfRun,
        distances,
        bestRank: minOf(ranksOfRun),
        nearest: minOf(distances),
      };
    })
    .sort(
      (a, b) => a.bestRank - b.bestRank || a.nearest - b.nearest || (a.seats[0] ?? 0) - (b.seats[0] ?? 0),
    );
}

/** The dearest grade has rank 0. A grade with several prices counts with its highest. */
function rankGrades(seats: readonly Pick<SeatRow, 'grade' | 'price'>[]): ReadonlyMap<string, number> {
  const prices = new Map<string, number>();
  for (const { grade, price } of seats) prices.set(grade, Math.max(price, prices.get(grade) ?? 0));
  const dearestFirst = [...new Set(prices.values())].sort((a, b) => b - a);
  return new Map([...prices].map(([grade, price]) => [grade, dearestFirst.indexOf(price)]));
}

/**
 * The distance of a seat from the centre of the stage's front edge. It grows with the square of the angle to the centre line
 * and is doubled at a right angle: in a curved hall, where a row is equally far from the stage everywhere, the middle is
 * best, and the ends of the first rows are no better than the middle of later ones.
 */
function distancesFromStage({ stage, x, y }: SeatGeometry): (seat: number) => number {
  const centre = stage.x + stage.width / 2;
  const front = stage.y + stage.height;
  return (seat) => {
    const aside = Math.abs((x[seat] ?? 0) - centre);
    const back = (y[seat] ?? 0) - front;
    return Math.hypot(aside, back) * (1 + (Math.atan2(aside, back) / RIGHT_ANGLE) ** 2);
  };
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
