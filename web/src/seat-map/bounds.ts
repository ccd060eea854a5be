import { type Camera, type Limits, type View, fit } from './camera.js';
import type { Box, Chart } from './chart.js';
import { largestScale, PICK_AT_PX, scaleFor } from './detail.js';

const PADDING_PX = 16;
/** Beyond the chart's edge one may look this far, so that no button lies over a seat. */
const BEYOND_PX = 72;

/** The chart and half a seat around it. */
function whole({ spacing, size }: Chart): Box {
  return { x: -spacing, y: -spacing, width: size.width + 2 * spacing, height: size.height + 2 * spacing };
}

/** From where everything is seen, but a small hall not larger than life. */
export const wholeCamera = (chart: Chart, view: View): Camera =>
  fit(whole(chart), view, scaleFor(chart, PICK_AT_PX * 1.25), PADDING_PX);

/** How far out, how near, and how far beyond the edges one may look at a scale. */
export function limitsAt(chart: Chart, view: View, scale: number): Limits {
  const { x, y, width, height } = whole(chart);
  const minScale = wholeCamera(chart, view).scale;
  const beyond = Math.min(1, Math.max(0, scale / minScale - 1)) * (BEYOND_PX / scale);
  return {
    world: { x: x - beyond, y: y - beyond, width: width + 2 * beyond, height: height + 2 * beyond },
    minScale,
    maxScale: Math.max(minScale, largestScale(chart)),
  };
}
