import type { Box, Chart, Row } from '../chart/chart.js';
import { NUMBERS_FROM_PX, ROW_NAMES_FROM_PX, seatPx } from '../camera/zoom-levels.js';
import { drawSeat } from './draw-seat.js';
import type { SeatGrid } from '../chart/seat-grid.js';
import { AVAILABLE, MINE, SOLD } from '../chart/seat-states.js';
import type { Theme } from './theme.js';

/** The radius of a seat's shape as a share of the seat spacing. */
export const RADIUS_SHARE = 0.39;
const STATE_COUNT = MINE + 1;

/** Draws the seats of tiles at one scale by copying from a sprite sheet with every grade in every state. */
export interface SeatPainter {
  /** Draws the seats in and around `part` of a tile. The caller clips. */
  readonly paint: (ctx: CanvasRenderingContext2D, tile: Box, part: Box, codes: Uint8Array) => void;
}

export function createSeatPainter(
  chart: Chart,
  grid: SeatGrid,
  theme: Theme,
  scale: number,
  ratio: number,
): SeatPainter {
  const { seats, rows, spacing } = chart;
  const px = seatPx(chart, scale);
  const radius = px * RADIUS_SHARE * ratio;
  const cell = 2 * Math.ceil(radius * 1.25 + ratio);
  const sheet = document.createElement('canvas');
  sheet.width = cell * STATE_COUNT;
  sheet.height = cell * chart.grades.length;
  const onSheet = sheet.getContext('2d');
  for (let grade = 0; onSheet && grade < chart.grades.length; grade += 1) {
    for (let state = 0; state < STATE_COUNT; state += 1) {
      const [x, y] = [(state + 0.5) * cell, (grade + 0.5) * cell];
      drawSeat(onSheet, theme, { x, y, grade, state }, radius, ratio);
    }
  }

  const showsNumbers = px >= NUMBERS_FROM_PX;
  const showsRowNames = px >= ROW_NAMES_FROM_PX;
  // Row names are drawn beside the first seat, so a tile also needs seats just outside it.
  const around = (showsRowNames ? 1.6 : 0.6) * spacing;

  const paint = (ctx: CanvasRenderingContext2D, tile: Box, part: Box, codes: Uint8Array): void => {
    const zoom = scale * ratio;
    const wide = {
      x: part.x - around,
      y: part.y - around,
      width: part.width + 2 * around,
      height: part.height + 2 * around,
    };
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    grid.within(wide, (seat) => {
      const x = ((seats.x[seat] ?? 0) - tile.x) * zoom;
      const y = ((seats.y[seat] ?? 0) - tile.y) * zoom;
      const state = codes[seat] ?? SOLD;
      const grade = seats.grade[seat] ?? 0;
      ctx.drawImage(
        sheet,
        state * cell,
        grade * cell,
        cell,
        cell,
        Math.round(x - cell / 2),
        Math.round(y - cell / 2),
        cell,
        cell,
      );
      if (showsNumbers && state === AVAILABLE) {
        const text = seats.number[seat] ?? '';
        ctx.font = `600 ${Math.round(radius * (text.length > 2 ? 0.7 : 0.86))}px ${theme.font}`;
        ctx.fillStyle = theme.onGrade;
        ctx.fillText(text, x, y + ratio * 0.5);
      }
      const row = rows[seats.row[seat] ?? 0];
      if (showsRowNames && row?.seats[0] === seat) {
        ctx.font = `500 ${Math.round(Math.min(11, px * 0.42) * ratio)}px ${theme.font}`;
        ctx.fillStyle = theme.muted;
        const away = rowNameOffset(chart, row);
        ctx.fillText(row.name, x + away.x * zoom, y + away.y * zoom);
      }
    });
  };
  return { paint };
}

/** The offset from a row's first seat to its name, away from the second seat. */
function rowNameOffset({ seats: { x, y }, spacing }: Chart, { seats }: Row): { x: number; y: number } {
  const [first = 0, second = first] = seats;
  const [dx, dy] = [(x[first] ?? 0) - (x[second] ?? 0), (y[first] ?? 0) - (y[second] ?? 0)];
  const length = Math.hypot(dx, dy);
  const away = 0.7 * spacing;
  return length > 0 ? { x: (dx / length) * away, y: (dy / length) * away } : { x: -away, y: 0 };
}
