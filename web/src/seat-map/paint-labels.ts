import { type Camera, type Point, type View, toScreen } from './camera.js';
import type { Box, Chart, Section } from './chart.js';
import { isWithin } from './outline.js';
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

export function paintStage({ ctx, chart, theme, texts, camera, view }: LabelPens): void {
  const { x, y, width, height } = onScreen(chart.stage, camera);
  if (width <= 0 || height <= 0 || x > view.width || y > view.height || x + width < 0 || y + height < 0)
    return;
  ctx.fillStyle = theme.stage;
  ctx.beginPath();
  ctx.roundRect(x, y, width, height, Math.min(10, height / 3));
  ctx.fill();
  const size = Math.min(22, height * 0.5, width / 6);
  if (size < 7) return;
  ctx.fillStyle = theme.onStage;
  ctx.font = `700 ${size}px ${theme.font}`;
  ctx.letterSpacing = `${size * 0.22}px`;
  // Spacing follows the last letter too: half of it is taken back, to stand in the middle.
  centre(ctx, texts.stage, x + width / 2 + size * 0.11, y + height / 2);
  ctx.letterSpacing = '0px';
}

/** A block's name and how many of its seats are free, in its middle, as far as there is room for them. */
export function paintBlockLabels(pens: LabelPens, states: SeatStates): void {
  const { ctx, chart, theme, texts, camera, view } = pens;
  ctx.lineJoin = 'round';
  chart.sections.forEach((section, index) => {
    if (section.seatCount === 0 || !isInSight(section, camera, view, 0)) return;
    const middle = middleOf(section);
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

/** The mean of the corners: of a curved block this lies within it, the middle of its box may not. */
function middleOf({ outline }: Section): Point {
  let [x, y] = [0, 0];
  for (let corner = 0; corner < outline.length; corner += 2) {
    x += outline[corner] ?? 0;
    y += outline[corner + 1] ?? 0;
  }
  const count = outline.length / 2;
  return { x: x / count, y: y / count };
}

/** Above its seats a section's name, which stays in sight as long as any of the section does. */
export function paintSectionNames({ ctx, chart, theme, camera, view }: LabelPens): void {
  const margin = GROUND_MARGIN * chart.spacing;
  const height = NAME_PX + 8;
  for (const section of chart.sections) {
    if (section.seatCount === 0 || !isInSight(section, camera, view, margin)) continue;
    const box = onScreen(section, camera);
    const edge = margin * camera.scale;
    const top = Math.max(box.y - edge - height / 2, 8);
    if (top + height > box.y + box.height + edge) continue;
    ctx.font = `700 ${NAME_PX}px ${theme.font}`;
    const width = ctx.measureText(section.name).width + 16;
    // In the middle of what is seen of the section.
    const from = Math.max(box.x - edge, 0);
    const to = Math.min(box.x + box.width + edge, view.width);
    if (to - from < width) continue;
    const middle = (from + to) / 2;
    pill(ctx, theme, middle - width / 2, top, width, height);
    ctx.fillStyle = theme.ink;
    centre(ctx, section.name, middle, top + height / 2 + 0.5);
  }
}

function pill(
  ctx: CanvasRenderingContext2D,
  theme: Theme,
  x: number,
  y: number,
  width: number,
  height: number,
) {
  ctx.beginPath();
  ctx.roundRect(x, y, width, height, Math.min(8, height / 2));
  ctx.fillStyle = theme.surface;
  ctx.fill();
  ctx.strokeStyle = theme.line;
  ctx.lineWidth = 1;
  ctx.stroke();
}

function centre(ctx: CanvasRenderingContext2D, text: string, x: number, y: number): void {
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.fillText(text, x, y);
}

const onScreen = (box: Box, camera: Camera): Box => ({
  x: (box.x - camera.x) * camera.scale,
  y: (box.y - camera.y) * camera.scale,
  width: box.width * camera.scale,
  height: box.height * camera.scale,
});
