import * as cameras from '../camera/camera.js';
import type { Camera, Point, View } from '../camera/camera.js';
import { limitsAt, wholeCamera } from '../camera/camera-limits.js';
import type { Box, Chart } from '../chart/chart.js';
import {
  isPickable,
  seatPx,
  scaleFor,
  showsSeats,
  COMFORTABLE_PX,
  SEATS_FROM_PX,
} from '../camera/zoom-levels.js';
import { type SeatGrid, createSeatGrid, sectionAt } from '../chart/seat-grid.js';
import { type Motion, glide, easeTo, prefersReducedMotion } from '../camera/camera-motion.js';
import { type Scene, createScenePainter } from '../paint/scene-painter.js';
import type { Texts } from '../texts.js';
import { type Theme } from '../paint/theme.js';

/** What is at a point: a seat that can be picked, a section to zoom to, or nothing. */
export type Hit =
  | { readonly kind: 'seat'; readonly seat: number }
  | { readonly kind: 'section'; readonly box: Box; readonly point: Point }
  | undefined;

/** Draws the map and moves its camera. Draws only after a change, and at most once per frame. */
export interface Engine {
  readonly resize: (view: View, ratio: number) => void;
  readonly show: (scene: Scene) => void;
  readonly setTheme: (theme: Theme, texts: Texts) => void;
  readonly hit: (point: Point) => Hit;
  readonly seatUnder: (point: Point) => number;
  readonly panBy: (x: number, y: number) => void;
  readonly zoomBy: (factor: number, point?: Point) => void;
  /** Moves on after a drag, in pixels per millisecond. */
  readonly glide: (speedX: number, speedY: number) => void;
  readonly stopMotion: () => void;
  readonly showAll: () => void;
  readonly zoomTo: (box: Box, point: Point) => void;
  /** Brings a seat into view, large enough to be picked. */
  readonly reveal: (seat: number) => void;
  readonly screenPositionOf: (seat: number) => Point & { readonly radius: number };
  readonly dispose: () => void;
}

const ZOOM_SETTLES_AFTER_MS = 90;
const REVEAL_MARGIN_PX = 96;

export function createEngine(
  canvas: HTMLCanvasElement,
  chart: Chart,
  onCamera: (isWhole: boolean) => void,
): Engine {
  const grid: SeatGrid = createSeatGrid(chart);
  const painter = createScenePainter(canvas, chart, grid);
  let view: View = { width: 0, height: 0 };
  let camera: Camera = { x: 0, y: 0, scale: 1 };
  let motion: Motion | undefined;
  let frame = 0;
  let zoomedMs = -Infinity;

  const clamped = (next: Camera): Camera => cameras.clamp(next, view, limitsAt(chart, view, next.scale));
  const isWhole = (): boolean => camera.scale <= wholeCamera(chart, view).scale * 1.01;

  const requestFrame = (): void => {
    if (frame === 0 && view.width > 0) frame = requestAnimationFrame(draw);
  };

  const draw = (nowMs: number): void => {
    frame = 0;
    if (motion) {
      const moved = clamped(motion.at(nowMs, camera, view));
      if (motion.zooms) zoomedMs = nowMs;
      if (motion.isOver(nowMs)) {
        motion = undefined;
        zoomedMs = -Infinity;
      }
      camera = moved;
    }
    const isSettled = nowMs - zoomedMs >= ZOOM_SETTLES_AFTER_MS;
    const isUnfinished = painter.paint(camera, view, isSettled);
    onCamera(isWhole());
    if (motion || isUnfinished || !isSettled) requestFrame();
  };

  const moveCamera = (next: Camera): void => {
    const goal = clamped(next);
    if (prefersReducedMotion()) {
      motion = undefined;
      camera = goal;
    } else motion = easeTo(camera, goal, performance.now());
    requestFrame();
  };

  return {
    resize: (next, ratio) => {
      const wasWhole = view.width === 0 || isWhole();
      const middle = cameras.toWorld(camera, { x: view.width / 2, y: view.height / 2 });
      view = next;
      painter.resize(next, ratio);
      motion = undefined;
      camera = clamped(wasWhole ? wholeCamera(chart, view) : cameras.centreOn(middle, view, camera.scale));
      // Draw immediately: setting its size clears a canvas.
      if (view.width > 0) draw(performance.now());
    },
    show: (scene) => {
      painter.show(scene);
      requestFrame();
    },
    setTheme: (theme, texts) => {
      painter.setTheme(theme, texts);
      requestFrame();
    },
    hit: (point) => hitAt(chart, grid, camera, point),
    seatUnder: (point) => {
      if (!showsSeats(chart, camera.scale)) return -1;
      const at = cameras.toWorld(camera, point);
      return grid.nearest(at.x, at.y, chart.spacing * 0.55);
    },
    panBy: (x, y) => {
      motion = undefined;
      camera = clamped(cameras.pan(camera, x, y));
      requestFrame();
    },
    zoomBy: (factor, point) => {
      const around = point ?? { x: view.width / 2, y: view.height / 2 };
      const next = clamped(
        cameras.zoomAt(camera, around, factor, limitsAt(chart, view, camera.scale * factor)),
      );
      if (!point) {
        moveCamera(next);
        return;
      }
      motion = undefined;
      if (next.scale !== camera.scale) zoomedMs = performance.now();
      camera = next;
      requestFrame();
    },
    glide: (speedX, speedY) => {
      if (prefersReducedMotion()) return;
      motion = glide(speedX, speedY, performance.now());
      requestFrame();
    },
    stopMotion: () => {
      motion = undefined;
    },
    showAll: () => moveCamera(wholeCamera(chart, view)),
    zoomTo: (box, point) => moveCamera(closerCamera(chart, view, camera, box, point)),
    reveal: (seat) => {
      const minScale = scaleFor(chart, COMFORTABLE_PX);
      moveCamera(cameras.reveal(camera, positionOf(chart, seat), view, minScale, REVEAL_MARGIN_PX));
    },
    screenPositionOf: (seat) => ({
      ...cameras.toScreen(camera, positionOf(chart, seat)),
      radius: seatPx(chart, camera.scale) / 2,
    }),
    dispose: () => {
      cancelAnimationFrame(frame);
      view = { width: 0, height: 0 };
    },
  };
}

const positionOf = ({ seats }: Chart, seat: number): Point => ({
  x: seats.x[seat] ?? 0,
  y: seats.y[seat] ?? 0,
});

/** Fits the box, unless that is hardly closer than now or too small to show seats: then the point at a comfortable size. */
function closerCamera(chart: Chart, view: View, camera: Camera, box: Box, point: Point): Camera {
  const fitted = cameras.fit(box, view, scaleFor(chart, COMFORTABLE_PX * 1.25), 40);
  const isCloser = fitted.scale > camera.scale * 1.25 && seatPx(chart, fitted.scale) >= SEATS_FROM_PX;
  return isCloser ? fitted : cameras.centreOn(point, view, scaleFor(chart, COMFORTABLE_PX));
}

function hitAt(chart: Chart, grid: SeatGrid, camera: Camera, point: Point): Hit {
  const at = cameras.toWorld(camera, point);
  if (isPickable(chart, camera.scale)) {
    const seat = grid.nearest(at.x, at.y, chart.spacing * 0.62);
    return seat < 0 ? undefined : { kind: 'seat', seat };
  }
  const section = chart.sections[sectionAt(chart, at.x, at.y)];
  return section && { kind: 'section', box: section, point: at };
}
