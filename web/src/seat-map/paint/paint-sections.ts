import type { Camera, View } from '../camera/camera.js';
import type { Chart, Section } from '../chart/chart.js';
import type { Theme } from './theme.js';

/** How far a section's background extends beyond the centres of its outermost seats, in seat spacings. */
export const SECTION_MARGIN = 0.95;

const orders = new WeakMap<Chart, readonly number[]>();
/** Section indexes in drawing order: a section is drawn on top of a larger one that surrounds it. */
export function largestFirst(chart: Chart): readonly number[] {
  const known = orders.get(chart);
  if (known) return known;
  const area = (index: number): number =>
    (chart.sections[index]?.width ?? 0) * (chart.sections[index]?.height ?? 0);
  const order = chart.sections.map((_, index) => index).sort((a, b) => area(b) - area(a));
  orders.set(chart, order);
  return order;
}

/** Traces a section's outline. A stroke of twice the margin turns it into a background with round corners. */
export function traceSection(ctx: CanvasRenderingContext2D, { outline }: Section, camera: Camera): void {
  ctx.beginPath();
  for (let corner = 0; corner < outline.length; corner += 2) {
    ctx.lineTo(
      ((outline[corner] ?? 0) - camera.x) * camera.scale,
      ((outline[corner + 1] ?? 0) - camera.y) * camera.scale,
    );
  }
  ctx.closePath();
}

export function isVisible(section: Section, camera: Camera, view: View, margin: number): boolean {
  return (
    section.x - margin < camera.x + view.width / camera.scale &&
    section.x + section.width + margin > camera.x &&
    section.y - margin < camera.y + view.height / camera.scale &&
    section.y + section.height + margin > camera.y
  );
}

/** Draws the background of the sections. The camera's scale is in canvas pixels, `ratio` of which make a CSS pixel. */
export function paintSections(
  ctx: CanvasRenderingContext2D,
  chart: Chart,
  theme: Theme,
  camera: Camera,
  view: View,
  ratio: number,
): void {
  ctx.fillStyle = theme.ground;
  ctx.fillRect(0, 0, view.width, view.height);
  ctx.lineJoin = ctx.lineCap = 'round';
  const margin = SECTION_MARGIN * chart.spacing;
  for (const index of largestFirst(chart)) {
    const section = chart.sections[index];
    if (!section || section.seatCount === 0 || !isVisible(section, camera, view, 2 * margin)) continue;
    traceSection(ctx, section, camera);
    ctx.strokeStyle = theme.line;
    ctx.lineWidth = 2 * margin * camera.scale + 2 * ratio;
    ctx.stroke();
    ctx.strokeStyle = theme.surface;
    ctx.lineWidth = 2 * margin * camera.scale;
    ctx.stroke();
    ctx.fillStyle = theme.surface;
    ctx.fill();
  }
}
