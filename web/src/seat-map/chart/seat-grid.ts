import type { Box, Chart } from './chart.js';
import { isInside } from './outline.js';

/** A spatial index of seats: a grid of cells stored in two flat arrays. */
export interface SeatGrid {
  readonly within: (box: Box, visit: (seat: number) => void) => void;
  /** The nearest seat within `reach` of a point, or -1. */
  readonly nearest: (x: number, y: number, reach: number) => number;
}

const CELLS_MAX = 65_536;
const SEATS_ACROSS_CELL = 3;

export function createSeatGrid({ seats, spacing }: Chart): SeatGrid {
  const { count, x, y } = seats;
  const left = minimum(x);
  const top = minimum(y);
  const width = -minimum(x.map((value) => -value)) - left;
  const height = -minimum(y.map((value) => -value)) - top;
  const cell = Math.max(
    SEATS_ACROSS_CELL * spacing,
    width / 1_024,
    height / 1_024,
    Math.sqrt((width * height) / CELLS_MAX),
  );
  const columns = Math.floor(width / cell) + 1;
  const rows = Math.floor(height / cell) + 1;
  const column = (at: number): number => Math.min(columns - 1, Math.max(0, Math.floor((at - left) / cell)));
  const gridRow = (at: number): number => Math.min(rows - 1, Math.max(0, Math.floor((at - top) / cell)));
  const cellOf = (seat: number): number => gridRow(y[seat] ?? 0) * columns + column(x[seat] ?? 0);

  // Counting sort: the seats of cell c are sorted[starts[c]] up to, but not including, sorted[starts[c + 1]].
  const starts = new Uint32Array(columns * rows + 1);
  for (let seat = 0; seat < count; seat += 1) increment(starts, cellOf(seat) + 1);
  for (let at = 1; at < starts.length; at += 1) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
  const next = starts.slice();
  const sorted = new Uint32Array(count);
  for (let seat = 0; seat < count; seat += 1) sorted[increment(next, cellOf(seat))] = seat;

  const within = (box: Box, visit: (seat: number) => void): void => {
    const [right, bottom] = [box.x + box.width, box.y + box.height];
    const lastRow = gridRow(bottom);
    const [firstColumn, lastColumn] = [column(box.x), column(right)];
    for (let at = gridRow(box.y); at <= lastRow; at += 1) {
      const from = starts[at * columns + firstColumn] ?? 0;
      const to = starts[at * columns + lastColumn + 1] ?? 0;
      for (let index = from; index < to; index += 1) {
        const seat = sorted[index] ?? 0;
        const [seatX, seatY] = [x[seat] ?? 0, y[seat] ?? 0];
        if (seatX >= box.x && seatX <= right && seatY >= box.y && seatY <= bottom) visit(seat);
      }
    }
  };

  const nearest = (atX: number, atY: number, reach: number): number => {
    let best = -1;
    let distance = reach;
    within({ x: atX - reach, y: atY - reach, width: 2 * reach, height: 2 * reach }, (seat) => {
      const here = Math.hypot((x[seat] ?? 0) - atX, (y[seat] ?? 0) - atY);
      if (here > distance || (here === distance && best >= 0)) return;
      distance = here;
      best = seat;
    });
    return best;
  };
  return { within, nearest };
}

/** The section at a point, or -1. Of overlapping sections, the smallest: it is drawn on top. */
export function sectionAt({ sections, spacing }: Chart, x: number, y: number): number {
  let best = -1;
  let area = Infinity;
  sections.forEach((section, index) => {
    const size = section.width * section.height;
    if (size < area && isInside(section.outline, x, y, spacing)) {
      best = index;
      area = size;
    }
  });
  return best;
}

const minimum = (column: Float32Array): number =>
  column.reduce((low, value) => Math.min(low, value), Infinity);

/** Adds one and returns the previous count. */
function increment(counts: Uint32Array, at: number): number {
  const before = counts[at] ?? 0;
  counts[at] = before + 1;
  return before;
}
