import { type Camera, type View, toScreen } from './camera.js';
import type { Box, Chart } from './chart.js';
import { isWithin, middleOf, topAt } from './outline.js';
import { GROUND_MARGIN, isInSight } from './paint-ground.js';
import type { SeatStates } from './states.js';
import type { Texts } from './texts.js';
import type { Theme } from './theme.js';

export interface LabelPens {
  readonly ctx: CanvasRenderingContext2D;
  readonly chart: Chart;
  readonly theme: Theme;
  readonly texts: Texts;
  readonly camera: Camera;
  readonly view: View;
}

const NAME_PX = 13;
const COUNT_PX = 11;

export function paintStage(pens: LabelPens): void {
  const { ctx, chart, theme, texts, camera, view } = pens;
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
  // Spacing follows the last letter too: half of it is taken back, to stand in the middle.
  write(pens, name, x + width / 2 + size * 0.11, y + height / 2, false);
  ctx.letterSpacing = '0px';
}

/** A block's name and how many of its seats are free, in its middle, as far as there is room for them. */
export function paintBlockLabels(pens: LabelPens, states: SeatStates): void {
  const { ctx, chart, theme, texts, camera, view } = pens;
  ctx.lineJoin = 'round';
  chart.sections.forEach((section, index) => {
    if (section.seatCount === 0 || !isInSight(section, camera, view, 0)) return;
    const middle = middleOf(section.outline);
    const free = states.freeInSection[index] ?? 0;
    const isRoomFor = (wide: number, high: number): boolean =>
      [-1, 1].every((side) =>
        [-1, 1].every((end) =>
          isWithin(
            section.outline,
            middle.x + (side * wide) / 2 / camera.scale,
            middle.y + (end * high) / 2 / camera.scale,
            GROUND_MARGIN * chart.spacing,
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
    const widest = Math.max(widthOf(pens, name), widthOf(pens, count));
    if (isRoomFor(widest, NAME_PX + COUNT_PX + 4)) {
      write(pens, name, x, y - COUNT_PX / 2 - 1, free > 0);
      write(pens, count, x, y + NAME_PX / 2 + 2, free > 0);
      return;
    }
    const small = isRoomFor(widthOf(pens, name), NAME_PX) ? name : { ...name, size: COUNT_PX - 1 };
    if (isRoomFor(widthOf(pens, small), small.size)) write(pens, small, x, y, free > 0);
  });
}

interface Words {
  readonly text: string;
  readonly size: number;
  readonly weight: number;
  readonly colour: string;
}

const fontOf = ({ theme }: LabelPens, { weight, size }: Words): string => `${weight} ${size}px ${theme.font}`;

function widthOf(pens: LabelPens, words: Words): number {
  pens.ctx.font = fontOf(pens, words);
  return pens.ctx.measureText(words.text).width;
}

/** With a halo where there is a pattern beneath, or it could not be read. */
function write(pens: LabelPens, words: Words, x: number, y: number, hasHalo: boolean): void {
  const { ctx, theme } = pens;
  ctx.font = fontOf(pens, words);
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  if (hasHalo) {
    ctx.strokeStyle = theme.surface;
    ctx.lineWidth = 5;
    ctx.strokeText(words.text, x, y);
  }
  ctx.fillStyle = words.colour;
  ctx.fillText(words.text, x, y);
}

/** Above its seats a section's name, which stays in sight as long as any of the section does. */
export function paintSectionNames(pens: LabelPens): void {
  const { ctx, chart, theme, camera, view } = pens;
  const margin = GROUND_MARGIN * chart.spacing;
  const height = NAME_PX + 8;
  for (const section of chart.sections) {
    if (section.seatCount === 0 || !isInSight(section, camera, view, margin)) continue;
    const name = { text: section.name, size: NAME_PX, weight: 700, colour: theme.ink };
    const width = widthOf(pens, name) + 16;
    // In the middle of what is seen of the section, unless too little is.
    const { x: left, width: wide } = onScreen(section, camera);
    const [from, to] = [Math.max(left, 0), Math.min(left + wide, view.width)];
    if (to - from < Math.min(width, wide)) continue;
    const middle = (from + to) / 2;
    const worldX = camera.x + middle / camera.scale;
    const edge = (topAt(section.outline, worldX) - margin - camera.y) * camera.scale;
    const top = Math.max(edge - height / 2, 8);
    const worldY = camera.y + (top + height) / camera.scale;
    if (top > view.height || !isWithin(section.outline, worldX, worldY, margin)) continue;
    pill(ctx, theme, { x: middle - width / 2, y: top, width, height });
    write(pens, name, middle, top + height / 2 + 0.5, false);
  }
}

function pill(ctx: CanvasRenderingContext2D, theme: Theme, { x, y, width, height }: Box): void {
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
