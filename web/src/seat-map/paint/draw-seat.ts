import { CHOSEN_MARK, HELD_MARK, SOLD_MARK, colourOf, shapeOf } from './seat-shapes.js';
import { AVAILABLE, HELD, MINE } from '../chart/seat-states.js';
import type { Theme } from './theme.js';

const paths = new Map<string, Path2D>();

const pathOf = (d: string): Path2D => {
  const known = paths.get(d);
  if (known) return known;
  const path = new Path2D(d);
  paths.set(d, path);
  return path;
};

/** Runs `draw` in a coordinate system centred at x, y where 1 is `radius` pixels. */
function drawAt(ctx: CanvasRenderingContext2D, x: number, y: number, radius: number, draw: () => void): void {
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(radius, radius);
  ctx.lineCap = 'round';
  ctx.lineJoin = 'round';
  draw();
  ctx.restore();
}

/** Draws a seat in one of its states. `linePx` is the width of a thin line. */
export function drawSeat(
  ctx: CanvasRenderingContext2D,
  theme: Theme,
  seat: { readonly x: number; readonly y: number; readonly grade: number; readonly state: number },
  radius: number,
  linePx: number,
): void {
  const shape = pathOf(shapeOf(seat.grade));
  const colour = theme.grades[colourOf(seat.grade)] ?? theme.ink;
  drawAt(ctx, seat.x, seat.y, radius, () => {
    if (seat.state === AVAILABLE) {
      ctx.fillStyle = colour;
      ctx.fill(shape);
    } else if (seat.state === HELD || seat.state === MINE) {
      // An outline: held seats may become free again.
      ctx.scale(0.88, 0.88);
      ctx.fillStyle = theme.surface;
      ctx.fill(shape);
      ctx.strokeStyle = colour;
      ctx.lineWidth = (1.4 * linePx) / radius;
      ctx.stroke(shape);
      if (radius > 5 * linePx) ctx.stroke(pathOf(HELD_MARK));
    } else {
      ctx.strokeStyle = theme.faint;
      ctx.lineWidth = (Math.max(1.1, Math.min(2, radius / linePx / 6)) * linePx) / radius;
      ctx.stroke(pathOf(SOLD_MARK));
    }
  });
}

/** Draws a seat that is chosen, or already held by this fan: larger than the others, with a ring and a tick. */
export function drawChosen(
  ctx: CanvasRenderingContext2D,
  theme: Theme,
  seat: { readonly x: number; readonly y: number; readonly grade: number },
  radius: number,
  colour: string = theme.ink,
): void {
  const shape = pathOf(shapeOf(seat.grade));
  drawAt(ctx, seat.x, seat.y, radius * 1.06, () => {
    ctx.strokeStyle = theme.accent;
    ctx.lineWidth = 0.58;
    ctx.stroke(shape);
    ctx.strokeStyle = theme.surface;
    ctx.lineWidth = 0.26;
    ctx.stroke(shape);
    ctx.fillStyle = colour;
    ctx.fill(shape);
    ctx.strokeStyle = theme.onInk;
    ctx.lineWidth = 0.26;
    ctx.stroke(pathOf(CHOSEN_MARK));
  });
}

/** A repeating pattern of a grade's shape, to fill a section with. */
export function gradePattern(
  ctx: CanvasRenderingContext2D,
  theme: Theme,
  grade: number,
  ratio: number,
): CanvasPattern | null {
  const repeatPx = 8;
  const cell = document.createElement('canvas');
  cell.width = cell.height = Math.round(repeatPx * ratio);
  const inside = cell.getContext('2d');
  if (!inside) return null;
  const middle = cell.width / 2;
  drawSeat(inside, theme, { x: middle, y: middle, grade, state: AVAILABLE }, middle * 0.52, ratio);
  return ctx.createPattern(cell, 'repeat');
}
