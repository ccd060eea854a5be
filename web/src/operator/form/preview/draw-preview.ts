import type { PreviewSeats } from './layout-preview.js';

const MARGIN = 2;
const STAGE_DEPTH = 4;
const COLOURS = 8;

/** Not `Math.min(...values)`: a hall has more seats than a call can take arguments. */
function rangeOf(values: readonly number[]): { min: number; max: number } {
  let min = Infinity;
  let max = -Infinity;
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { min, max };
}

/** Draws the stage at the top, each seat as a square in its grade's colour, and section names where they fit. */
export function drawPreview(canvas: HTMLCanvasElement, seats: PreviewSeats, stage: string): void {
  const ctx = canvas.getContext('2d');
  if (!ctx || seats.x.length === 0 || canvas.clientWidth === 0) return;
  const styles = getComputedStyle(canvas);
  const colour = (name: string): string => styles.getPropertyValue(name).trim();
  const x = rangeOf(seats.x);
  const y = rangeOf(seats.y);
  const width = x.max - x.min + 1 + 2 * MARGIN;
  const height = y.max - y.min + 1 + 2 * MARGIN + STAGE_DEPTH + MARGIN;
  const ratio = devicePixelRatio;
  canvas.width = canvas.clientWidth * ratio;
  canvas.height = canvas.clientHeight * ratio;
  const scale = Math.min(canvas.width / width, canvas.height / height);
  const toX = (at: number): number => canvas.width / 2 + (at - (x.min + x.max) / 2) * scale;
  const top = (canvas.height - height * scale) / 2;
  const toY = (at: number): number => top + (at - y.min + 0.5 + 2 * MARGIN + STAGE_DEPTH) * scale;

  ctx.clearRect(0, 0, canvas.width, canvas.height);
  ctx.font = `600 ${13 * ratio}px ${styles.fontFamily}`;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  const stageWidth = Math.max(width * 0.4 * scale, 80 * ratio);
  const stageHeight = Math.max(STAGE_DEPTH * scale, 20 * ratio);
  ctx.fillStyle = colour('--line');
  ctx.fillRect((canvas.width - stageWidth) / 2, top + MARGIN * scale * 0.5, stageWidth, stageHeight);
  ctx.fillStyle = colour('--ink');
  ctx.fillText(stage, canvas.width / 2, top + MARGIN * scale * 0.5 + stageHeight / 2);

  const colours = Array.from({ length: COLOURS }, (_, index) => colour(`--op-grade-${index}`));
  const size = Math.max(0.72 * scale, ratio * 0.75);
  for (let seat = 0; seat < seats.x.length; seat += 1) {
    ctx.fillStyle = colours[(seats.grade[seat] ?? 0) % COLOURS] ?? '';
    ctx.fillRect(toX(seats.x[seat] ?? 0) - size / 2, toY(seats.y[seat] ?? 0) - size / 2, size, size);
  }
  for (const { name, x: middle, y: centre, width: across } of seats.names) {
    const written = ctx.measureText(name).width + 10 * ratio;
    if (name === '' || written > across * scale) continue;
    ctx.fillStyle = colour('--surface');
    ctx.fillRect(toX(middle) - written / 2, toY(centre) - 10 * ratio, written, 20 * ratio);
    ctx.fillStyle = colour('--ink');
    ctx.fillText(name, toX(middle), toY(centre));
  }
}
