import { type Camera, type Limits, type View, fit } from './camera.js';
import type { Box, Chart } from './chart.js';
import { largestScale, PICK_AT_PX, scaleFor } from './detail.js';

const PADDING_PX = 16;
/** Beyond the chart's edge one may look this far, so that no button lies over a seat. */
const BEYOND_PX = 72;
/** On a phone the buttons lie along the lower edge: the hall stands above them. */
const PHONE_MAX_PX = 640;
const BUTTONS_PX = 56;

const forButtons = ({ width }: View): number => (width < PHONE_MAX_PX ? BUTTONS_PX : 0);

/** The stage and every section, and half a seat around them: an empty margin would only make a small hall smaller. */
function whole({ spacing, stage, sections }: Chart): Box {
  const boxes = [stage, ...sections.filter(({ seatCount }) => seatCount > 0)];
  const left = Math.min(...boxes.map(({ x }) => x)) - spacing / 2;
  const top = Math.min(...boxes.map(({ y }) => y)) - spacing / 2;
  const right = Math.max(...boxes.map(({ x, width }) => x + width)) + spacing / 2;
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + spacing / 2;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** From where everything is seen, but a small hall not larger than life. */
export const wholeCamera = (chart: Chart, view: View): Camera =>
  fit(
    whole(chart),
    { ...view, height: view.height - forButtons(view) },
    scaleFor(chart, PICK_AT_PX * 1.25),
    PADDING_PX,
  );

/** How far out, how near, and how far beyond the edges one may look at a scale. */
export function limitsAt(chart: Chart, view: View, scale: number): Limits {
  const { x, y, width, height } = whole(chart);
  const minScale = wholeCamera(chart, view).scale;
  const beyond = Math.min(1, Math.max(0, scale / minScale - 1)) * (BEYOND_PX / scale);
  return {
    world: {
      x: x - beyond,
      y: y - beyond,
      width: width + 2 * beyond,
      height: height + 2 * beyond + forButtons(view) / scale,
    },
    minScale,
    maxScale: Math.max(minScale, largestScale(chart)),
  };
}
