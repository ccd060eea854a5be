import type { Camera, View } from '../camera/camera.js';
import type { Chart } from '../chart/chart.js';
import { gradePattern } from './draw-seat.js';
import { colourOf } from './seat-shapes.js';
import { SECTION_MARGIN, isVisible, largestFirst, traceSection } from './paint-sections.js';
import type { SeatStates } from '../chart/seat-states.js';
import type { Theme } from './theme.js';

/** Creates the zoomed-out view: sections as blocks, filled from below in proportion to their free seats. */
export function createOverview(chart: Chart, theme: Theme, ratio: number) {
  const patterns = new Map<number, CanvasPattern | null>();
  const patternOf = (ctx: CanvasRenderingContext2D, grade: number): CanvasPattern | null => {
    if (!patterns.has(grade)) patterns.set(grade, gradePattern(ctx, theme, grade, ratio));
    return patterns.get(grade) ?? null;
  };
  const margin = SECTION_MARGIN * chart.spacing;

  return (ctx: CanvasRenderingContext2D, camera: Camera, view: View, states: SeatStates): void => {
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.fillStyle = theme.ground;
    ctx.fillRect(0, 0, view.width, view.height);
    ctx.lineJoin = ctx.lineCap = 'round';
    for (const index of largestFirst(chart)) {
      const section = chart.sections[index];
      if (!section || section.seatCount === 0 || !isVisible(section, camera, view, 2 * margin)) continue;
      const share = (states.freeInSection[index] ?? 0) / section.seatCount;
      const colour = colourOf(section.grade);
      const paintBlock = (paint: string | CanvasPattern, border: number): void => {
        ctx.fillStyle = ctx.strokeStyle = paint;
        ctx.lineWidth = 2 * (Math.max(2, margin * camera.scale) + border);
        ctx.stroke();
        ctx.fill();
      };
      traceSection(ctx, section, camera);
      paintBlock((share > 0 ? theme.grades[colour] : theme.faint) ?? theme.faint, 0.75);
      // Sold-out sections are grey with an outline.
      paintBlock(share > 0 ? theme.surface : theme.ground, -0.75);
      if (share === 0) continue;

      // At least a tenth, so that even one free seat is visible.
      const level = Math.max(0.1, share) * (section.height + 2 * margin);
      const bottom = section.y + section.height + margin;
      const pattern = patternOf(ctx, section.grade);
      // Anchor the pattern to the block, so that it moves with the block.
      pattern?.setTransform(
        new DOMMatrix()
          .translate((section.x - camera.x) * camera.scale, (bottom - camera.y) * camera.scale)
          .scale(1 / ratio),
      );
      ctx.save();
      ctx.beginPath();
      ctx.rect(0, (bottom - level - camera.y) * camera.scale, view.width, level * camera.scale + 2);
      ctx.clip();
      traceSection(ctx, section, camera);
      paintBlock(theme.tints[colour] ?? theme.surface, -0.75);
      if (pattern) paintBlock(pattern, -0.75);
      ctx.restore();
    }
  };
}
