import * as cameras from './camera.js';
import type { Camera, Point, View } from './camera.js';
import { limitsAt, wholeCamera } from './bounds.js';
import type { Box, Chart } from './chart.js';
import { isPickable, pxOf, scaleFor, showsSeats, PICK_AT_PX, SEATS_FROM_PX } from './detail.js';
import { type SeatGrid, createSeatGrid, sectionAt } from './hit-test.js';
import { type Motion, slide, travel, wantsLessMotion } from './motion.js';
import { type Scene, createScenePainter } from './scene.js';
import type { Texts } from './texts.js';
import { type Theme } from './theme.js';

/** What lies under a point: a seat that can be picked, something to come closer to, or nothing. */
export type Hit =
  | { readonly kind: 'seat'; readonly seat: number }
  | { readonly kind: 'closer'; readonly box: Box; readonly point: Point }
  | undefined;

/** The picture and the camera over it. Draws when something has changed, and at most once a frame. */
export interface Engine {
  readonly resize: (view: View, ratio: number) => void;
  readonly show: (scene: Scene) => void;
  readonly dress: (theme: Theme, texts: Texts) => void;
  readonly hit: (point: Point) => Hit;
  readonly seatUnder: (point: Point) => number;
  readonly panBy: (x: number, y: number) => void;
  readonly zoomBy: (factor: number, point?: Point) => void;
  readonly slideOn: (speedX: number, speedY: number) => void;
  readonly hold: () => void;
  readonly showAll: () => void;
  readonly approach: (box: Box, point: Point) => void;
  readonly reveal: (seat: number) => void;
  readonly whereIs: (seat: number) => Point & { readonly radius: number };
  readonly isAtRest: () => boolean;
  readonly stop: () => void;
}

const ZOOM_RESTS_AFTER_MS = 90;
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

  const request = (): void => {
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
    const isResting = nowMs - zoomedMs >= ZOOM_RESTS_AFTER_MS;
    const remains = painter.paint(camera, view, isResting);
    onCamera(isWhole());
    if (motion || remains || !isResting) request();
  };

  const go = (next: Camera): void => {
    const goal = clamped(next);
    if (wantsLessMotion()) {
      motion = undefined;
      camera = goal;
    } else motion = travel(camera, goal, performance.now());
    request();
  };

  return {
    resize: (next, ratio) => {
      const wasWhole = view.width === 0 || isWhole();
      const middle = cameras.toWorld(camera, { x: view.width / 2, y: view.height / 2 });
      view = next;
      painter.resize(next, ratio);
      motion = undefined;
      camera = clamped(wasWhole ? wholeCamera(chart, view) : cameras.centred(middle, view, camera.scale));
      // Drawn at once: a canvas is empty from the moment its size is set.
      if (view.width > 0) draw(performance.now());
    },
    show: (scene) => {
      painter.show(scene);
      request();
    },
    dress: (theme, texts) => {
      painter.dress(theme, texts);
      request();
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
      request();
    },
    zoomBy: (factor, point) => {
      const around = point ?? { x: view.width / 2, y: view.height / 2 };
      const next = clamped(
        cameras.zoomAt(camera, around, factor, limitsAt(chart, view, camera.scale * factor)),
      );
      if (!point) {
        go(next);
        return;
      }
      motion = undefined;
      if (next.scale !== camera.scale) zoomedMs = performance.now();
      camera = next;
      request();
    },
    slideOn: (speedX, speedY) => {
      if (wantsLessMotion()) return;
      motion = slide(speedX, speedY, performance.now());
      request();
    },
    hold: () => {
      motion = undefined;
    },
    showAll: () => {
      go(wholeCamera(chart, view));
    },
    approach: (box, point) => {
      const near = cameras.fit(box, view, scaleFor(chart, PICK_AT_PX * 1.25), 40);
      const isNearer = near.scale > camera.scale * 1.25 && pxOf(chart, near.scale) >= SEATS_FROM_PX;
      go(isNearer ? near : cameras.centred(point, view, scaleFor(chart, PICK_AT_PX)));
    },
    reveal: (seat) => {
      go(cameras.reveal(camera, placeOf(chart, seat), view, scaleFor(chart, PICK_AT_PX), REVEAL_MARGIN_PX));
    },
    whereIs: (seat) => ({
      ...cameras.toScreen(camera, placeOf(chart, seat)),
      radius: pxOf(chart, camera.scale) / 2,
    }),
    isAtRest: () => frame === 0,
    stop: () => {
      cancelAnimationFrame(frame);
      view = { width: 0, height: 0 };
    },
  };
}

const placeOf = ({ seats }: Chart, seat: number): Point => ({ x: seats.x[seat] ?? 0, y: seats.y[seat] ?? 0 });

function hitAt(chart: Chart, grid: SeatGrid, camera: Camera, point: Point): Hit {
  const at = cameras.toWorld(camera, point);
  if (isPickable(chart, camera.scale)) {
    const seat = grid.nearest(at.x, at.y, chart.spacing * 0.62);
    return seat < 0 ? undefined : { kind: 'seat', seat };
  }
  const section = chart.sections[sectionAt(chart, at.x, at.y)];
  return section && { kind: 'closer', box: section, point: at };
}
