import type { Camera, View } from './camera.js';
import type { Box, Chart } from './chart.js';
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
  ctx.fillStyle = theme.ink;
  ctx.beginPath();
  ctx.roundRect(x, y, width, height, Math.min(10, height / 3));
  ctx.fill();
  const size = Math.min(22, height * 0.5, width / 6);
  if (size < 7) return;
  ctx.fillStyle = theme.onInk;
  ctx.font = `700 ${size}px ${theme.font}`;
  ctx.letterSpacing = `${size * 0.22}px`;
  // Spacing follows the last letter too: half of it is taken back, to stand in the middle.
  centre(ctx, texts.stage, x + width / 2 + size * 0.11, y + height / 2);
  ctx.letterSpacing = '0px';
}

/** A block's name and how many of its seats are free, in its middle. */
export function paintBlockLabels(pens: LabelPens, states: SeatStates): void {
  const { ctx, chart, theme, texts, camera, view } = pens;
  chart.sections.forEach((section, index) => {
    if (section.seatCount === 0 || !isInSight(section, camera, view, 0)) return;
    const { x, y, width, height } = onScreen(section, camera);
    const free = states.freeInSection[index] ?? 0;
    const count = free === 0 ? texts.soldOut : texts.freeCount(free);
    const roomX = width + 4;
    const roomY = height + 4;
    ctx.font = `700 ${NAME_PX}px ${theme.font}`;
    const nameWidth = ctx.measureText(section.name).width;
    ctx.font = `500 ${COUNT_PX}px ${theme.font}`;
    const countWidth = ctx.measureText(count).width;
    const showsCount = roomY > NAME_PX + COUNT_PX + 12 && roomX > countWidth + 10;
    if (!showsCount && (roomY < NAME_PX + 4 || roomX < nameWidth + 4)) return;
    const pillWidth = Math.max(nameWidth, showsCount ? countWidth : 0) + 14;
    const pillHeight = NAME_PX + (showsCount ? COUNT_PX + 3 : 0) + 8;
    const [middleX, middleY] = [x + width / 2, y + height / 2];
    pill(ctx, theme, middleX - pillWidth / 2, middleY - pillHeight / 2, pillWidth, pillHeight);
    ctx.fillStyle = theme.ink;
    ctx.font = `700 ${NAME_PX}px ${theme.font}`;
    centre(ctx, section.name, middleX, showsCount ? middleY - COUNT_PX / 2 - 1 : middleY + 0.5);
    if (!showsCount) return;
    ctx.fillStyle = theme.muted;
    ctx.font = `500 ${COUNT_PX}px ${theme.font}`;
    centre(ctx, count, middleX, middleY + NAME_PX / 2 + 1);
  });
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
