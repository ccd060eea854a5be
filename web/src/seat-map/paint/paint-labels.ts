import { type Camera, type Point, type View, toScreen } from '../camera/camera.js';
import { ROW_NAMES_FROM_PX, seatPx } from '../camera/zoom-levels.js';
import type { Box, Chart, Row } from '../chart/chart.js';
import { isInside, centroid, topAt } from '../chart/outline.js';
import { SECTION_MARGIN, isVisible } from './paint-sections.js';
import type { SeatStates } from '../chart/seat-states.js';
import type { Texts } from '../texts.js';
import type { Theme } from './theme.js';

export interface LabelContext {
  readonly ctx: CanvasRenderingContext2D;
  readonly chart: Chart;
  readonly theme: Theme;
  readonly texts: Texts;
  readonly camera: Camera;
  readonly view: View;
}

const NAME_PX = 13;
const COUNT_PX = 11;
const ROW_NAME_WIDTH_MIN_PX = 26;
/** The usual distance between rows, in seat spacings. */
const ROW_PITCH = 1.22;
/** The names of vertical rows are below those of the sections. */
const ROW_NAMES_TOP_PX = 42;
const BAND_HEIGHT_PX = 20;

export function paintStage(context: LabelContext): void {
  const { ctx, chart, theme, texts, camera, view } = context;
  const { x, y, width, height } = onScreen(chart.stage, camera);
  if (width <= 0 || height <= 0 || x > view.width || y > view.height || x + width < 0 || y + height < 0)
    return;
  ctx.fillStyle = theme.stage;
  ctx.beginPath();
  ctx.roundRect(x, y, width, height, Math.min(10, height / 3));
  ctx.fill();
  const size = Math.min(22, height * 0.5, width / 6);
  if (size < 7) return;
  ctx.letterSpacing = `${size * 0.22}px`;
  const name = { text: texts.stage, size, weight: 700, colour: theme.onStage };
  // Letter spacing is also added after the last letter: shift by half of it to centre the text.
  drawLabel(context, name, x + width / 2 + size * 0.11, y + height / 2, false);
  ctx.letterSpacing = '0px';
}

/** Draws each section's name and number of free seats at its centre, as far as there is room. */
export function paintBlockLabels(context: LabelContext, states: SeatStates): void {
  const { ctx, chart, theme, texts, camera, view } = context;
  ctx.lineJoin = 'round';
  chart.sections.forEach((section, index) => {
    if (section.seatCount === 0 || !isVisible(section, camera, view, 0)) return;
    const middle = centroid(section.outline);
    const free = states.freeInSection[index] ?? 0;
    const hasRoomFor = (wide: number, high: number): boolean =>
      [-1, 1].every((side) =>
        [-1, 1].every((end) =>
          isInside(
            section.outline,
            middle.x + (side * wide) / 2 / camera.scale,
            middle.y + (end * high) / 2 / camera.scale,
            SECTION_MARGIN * chart.spacing,
          ),
        ),
      );
    const { x, y } = toScreen(camera, middle);
    const name = {
      text: section.name,
      size: NAME_PX,
      weight: 700,
      colour: free > 0 ? theme.ink : theme.muted,
    };
    const count = {
      text: free > 0 ? texts.freeCount(free) : texts.soldOut,
      size: COUNT_PX,
      weight: 600,
      colour: theme.muted,
    };
    const widest = Math.max(widthOf(context, name), widthOf(context, count));
    if (hasRoomFor(widest, NAME_PX + COUNT_PX + 4)) {
      drawLabel(context, name, x, y - COUNT_PX / 2 - 1, free > 0);
      drawLabel(context, count, x, y + NAME_PX / 2 + 2, free > 0);
      return;
    }
    const small = hasRoomFor(widthOf(context, name), NAME_PX) ? name : { ...name, size: COUNT_PX - 1 };
    if (hasRoomFor(widthOf(context, small), small.size)) drawLabel(context, small, x, y, free > 0);
  });
}

interface Label {
  readonly text: string;
  readonly size: number;
  readonly weight: number;
  readonly colour: string;
}

const fontOf = ({ theme }: LabelContext, { weight, size }: Label): string =>
  `${weight} ${size}px ${theme.font}`;

function widthOf(context: LabelContext, label: Label): number {
  context.ctx.font = fontOf(context, label);
  return context.ctx.measureText(label.text).width;
}

/** Draws centred text, with a halo where it is on a pattern. */
function drawLabel(context: LabelContext, label: Label, x: number, y: number, hasHalo: boolean): void {
  const { ctx, theme } = context;
  ctx.font = fontOf(context, label);
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  if (hasHalo) {
    ctx.strokeStyle = theme.surface;
    ctx.lineWidth = 5;
    ctx.strokeText(label.text, x, y);
  }
  ctx.fillStyle = label.colour;
  ctx.fillText(label.text, x, y);
}

/** Draws each section's name above its seats and keeps it in view as long as the section is. */
export function paintSectionNames(context: LabelContext): void {
  const { ctx, chart, theme, camera, view } = context;
  const margin = SECTION_MARGIN * chart.spacing;
  const height = NAME_PX + 8;
  for (const section of chart.sections) {
    if (section.seatCount === 0 || !isVisible(section, camera, view, margin)) continue;
    const name = { text: section.name, size: NAME_PX, weight: 700, colour: theme.ink };
    const width = widthOf(context, name) + 16;
    // Centred on the visible part of the section, unless that is too narrow.
    const { x: left, width: wide } = onScreen(section, camera);
    const [from, to] = [Math.max(left, 0), Math.min(left + wide, view.width)];
    if (to - from < Math.min(width, wide)) continue;
    const middle = (from + to) / 2;
    const worldX = camera.x + middle / camera.scale;
    const edge = (topAt(section.outline, worldX) - margin - camera.y) * camera.scale;
    const top = Math.max(edge - height / 2, 8);
    const worldY = camera.y + (top + height) / camera.scale;
    if (top > view.height || !isInside(section.outline, worldX, worldY, margin)) continue;
    drawPill(ctx, theme, { x: middle - width / 2, y: top, width, height });
    drawLabel(context, name, middle, top + height / 2 + 0.5, false);
  }
}

/** Keeps the names of rows in view whose beginning is not, at the edge: of vertical rows at the top, of others at the left. */
export function paintRowNames(context: LabelContext): void {
  const { ctx, chart, theme, camera, view } = context;
  const px = seatPx(chart, camera.scale);
  if (px < ROW_NAMES_FROM_PX) return;
  const size = Math.min(NAME_PX, px * 0.6);
  for (const section of chart.sections) {
    if (!isVisible(section, camera, view, 0)) continue;
    for (const index of section.rows) {
      const row = chart.rows[index];
      const at = row && edgeOf(row, context);
      if (!at) continue;
      const name = { text: row.name, size, weight: 700, colour: theme.ink };
      const width = Math.max(ROW_NAME_WIDTH_MIN_PX, widthOf(context, name) + 8);
      const x = row.isVertical ? at.x : width / 2;
      // Together these form a band along the edge, through which the seats below can still be seen.
      ctx.globalAlpha = 0.85;
      ctx.fillStyle = theme.surface;
      const [wide, high] = row.isVertical ? [px * ROW_PITCH, BAND_HEIGHT_PX] : [width, px * ROW_PITCH];
      ctx.fillRect(x - wide / 2, at.y - high / 2, wide, high);
      ctx.globalAlpha = 1;
      drawLabel(context, name, x, at.y + 0.5, false);
    }
  }
}

/** Where the name of a row is drawn whose first seat is out of view; undefined if it is in view, or no seat is. */
function edgeOf({ seats, isVertical }: Row, { chart, camera, view }: LabelContext): Point | undefined {
  const edge = isVertical ? ROW_NAMES_TOP_PX : 0;
  const onScreenAt = (seat: number): Point =>
    toScreen(camera, { x: chart.seats.x[seat] ?? 0, y: chart.seats.y[seat] ?? 0 });
  const along = (point: Point): number => (isVertical ? point.y : point.x);
  const [first] = seats;
  // Its name is drawn beside the first seat.
  const beforeFirst = seatPx(chart, camera.scale);
  if (first === undefined || along(onScreenAt(first)) - beforeFirst >= 0) return undefined;
  const inView = seats.find((seat) => along(onScreenAt(seat)) >= edge);
  if (inView === undefined) return undefined;
  const { x, y } = onScreenAt(inView);
  if (x < 0 || y < 0 || x > view.width || y > view.height) return undefined;
  return isVertical ? { x, y: edge } : { x: edge, y };
}

function drawPill(ctx: CanvasRenderingContext2D, theme: Theme, { x, y, width, height }: Box): void {
  ctx.beginPath();
  ctx.roundRect(x, y, width, height, Math.min(8, height / 2));
  ctx.fillStyle = theme.surface;
  ctx.fill();
  ctx.strokeStyle = theme.line;
  ctx.lineWidth = 1;
  ctx.stroke();
}

const onScreen = (box: Box, camera: Camera): Box => ({
  x: (box.x - camera.x) * camera.scale,
  y: (box.y - camera.y) * camera.scale,
  width: box.width * camera.scale,
  height: box.height * camera.scale,
});
