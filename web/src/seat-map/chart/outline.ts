const DIRECTIONS = 32;

/**
 * Approximates the convex hull of some seats by the farthest seat in each of 32 directions, within half a percent and without
 * sorting 50,000 seats. Returns the corners in order: x0, y0, x1, y1, …
 */
export function outline(seats: readonly number[], x: Float32Array, y: Float32Array): Float32Array {
  const corners: number[] = [];
  let last = -1;
  for (let step = 0; step < DIRECTIONS; step += 1) {
    // Offset by half a step: along an axis, all seats of a straight row would be equally far.
    const angle = ((step + 0.5) / DIRECTIONS) * 2 * Math.PI;
    const seat = farthest(seats, x, y, Math.cos(angle), Math.sin(angle));
    if (seat < 0 || seat === last) continue;
    corners.push(x[seat] ?? 0, y[seat] ?? 0);
    last = seat;
  }
  return Float32Array.from(corners);
}

function farthest(
  seats: readonly number[],
  x: Float32Array,
  y: Float32Array,
  towardsX: number,
  towardsY: number,
): number {
  let best = -1;
  let reach = -Infinity;
  for (const seat of seats) {
    const here = (x[seat] ?? 0) * towardsX + (y[seat] ?? 0) * towardsY;
    if (here > reach) {
      reach = here;
      best = seat;
    }
  }
  return best;
}

/** Whether a point is inside an outline expanded by `margin`. */
export function isInside(corners: Float32Array, x: number, y: number, margin: number): boolean {
  const count = corners.length / 2;
  let inside = false;
  for (let a = 0, b = count - 1; a < count; b = a, a += 1) {
    const ax = corners[2 * a] ?? 0;
    const ay = corners[2 * a + 1] ?? 0;
    const bx = corners[2 * b] ?? 0;
    const by = corners[2 * b + 1] ?? 0;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
    if (distanceToEdge(x - ax, y - ay, bx - ax, by - ay) <= margin) return true;
  }
  return inside;
}

function distanceToEdge(px: number, py: number, ex: number, ey: number): number {
  const length = ex * ex + ey * ey;
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, (px * ex + py * ey) / length));
  return Math.hypot(px - along * ex, py - along * ey);
}

/** The centroid of an outline. */
export function centroid(corners: Float32Array): { x: number; y: number } {
  const [originX, originY] = [corners[0] ?? 0, corners[1] ?? 0];
  let [x, y, area] = [0, 0, 0];
  for (let at = 2; at + 3 < corners.length; at += 2) {
    const [ax, ay] = [(corners[at] ?? 0) - originX, (corners[at + 1] ?? 0) - originY];
    const [bx, by] = [(corners[at + 2] ?? 0) - originX, (corners[at + 3] ?? 0) - originY];
    const part = ax * by - bx * ay;
    x += (ax + bx) * part;
    y += (ay + by) * part;
    area += 3 * part;
  }
  if (Math.abs(area) > 1e-6) return { x: originX + x / area, y: originY + y / area };
  // A single row or seat has no area: use the mean of the corners.
  const count = corners.length / 2;
  const mean = (from: number): number =>
    corners.reduce((sum, value, at) => (at % 2 === from ? sum + value / count : sum), 0);
  return { x: mean(0), y: mean(1) };
}

/** The top edge of an outline at `x`. */
export function topAt(corners: Float32Array, x: number): number {
  const count = corners.length / 2;
  let top = Infinity;
  for (let a = 0, b = count - 1; a < count; b = a, a += 1) {
    const [ax, ay] = [corners[2 * a] ?? 0, corners[2 * a + 1] ?? 0];
    const [bx, by] = [corners[2 * b] ?? 0, corners[2 * b + 1] ?? 0];
    if (x < Math.min(ax, bx) || x > Math.max(ax, bx)) continue;
    top = Math.min(top, ax === bx ? Math.min(ay, by) : ay + ((by - ay) * (x - ax)) / (bx - ax));
  }
  return top;
}
