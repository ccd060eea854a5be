import { type Camera, type Limits, type View, fit } from './camera.js';
import type { Box, Chart } from '../chart/chart.js';
import { maxScale, COMFORTABLE_PX, scaleFor } from './zoom-levels.js';

const PADDING_PX = 16;
/** How far the view may move beyond the chart's edge, so that seats at the edge are not covered by buttons. */
const OVERSCROLL_PX = 72;
/** On narrower views the buttons are along the lower edge, and the chart is kept above them. */
const PHONE_MAX_PX = 640;
const BUTTONS_PX = 56;

const buttonsHeight = ({ width }: View): number => (width < PHONE_MAX_PX ? BUTTONS_PX : 0);

/** The bounding box of the stage and all sections plus half a seat. */
function contentBox({ spacing, stage, sections }: Chart): Box {
  const boxes = [stage, ...sections.filter(({ seatCount }) => seatCount > 0)];
  const left = Math.min(...boxes.map(({ x }) => x)) - spacing / 2;
  const top = Math.min(...boxes.map(({ y }) => y)) - spacing / 2;
  const right = Math.max(...boxes.map(({ x, width }) => x + width)) + spacing / 2;
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + spacing / 2;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The camera that shows everything, with an upper limit on the size of seats. */
export const wholeCamera = (chart: Chart, view: View): Camera =>
  fit(
    contentBox(chart),
    { ...view, height: view.height - buttonsHeight(view) },
    scaleFor(chart, COMFORTABLE_PX * 1.25),
    PADDING_PX,
  );

/** The limits of zooming and panning at a scale. */
export function limitsAt(chart: Chart, view: View, scale: number): Limits {
  const { x, y, width, height } = contentBox(chart);
  const minScale = wholeCamera(chart, view).scale;
  const beyond = Math.min(1, Math.max(0, scale / minScale - 1)) * (OVERSCROLL_PX / scale);
  return {
    world: {
      x: x - beyond,
      y: y - beyond,
      width: width + 2 * beyond,
      height: height + 2 * beyond + buttonsHeight(view) / scale,
    },
    minScale,
    maxScale: Math.max(minScale, maxScale(chart)),
  };
}
