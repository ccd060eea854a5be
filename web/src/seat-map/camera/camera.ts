import type { Box } from '../chart/chart.js';

/** The visible part of the chart: its point at the top left corner, and CSS pixels per chart unit. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface View {
  readonly width: number;
  readonly height: number;
}

/** The part of the chart that a camera may show, and its range of scales. */
export interface Limits {
  readonly world: Box;
  readonly minScale: number;
  readonly maxScale: number;
}

const clampNumber = (low: number, value: number, high: number): number =>
  Math.min(high, Math.max(low, value));

export const toWorld = (camera: Camera, point: Point): Point => ({
  x: camera.x + point.x / camera.scale,
  y: camera.y + point.y / camera.scale,
});

export const toScreen = (camera: Camera, point: Point): Point => ({
  x: (point.x - camera.x) * camera.scale,
  y: (point.y - camera.y) * camera.scale,
});

/** The camera that shows `box` centred and as large as possible. */
export function fit(box: Box, view: View, largest: number, paddingPx = 0): Camera {
  const width = Math.max(1, view.width - 2 * paddingPx);
  const height = Math.max(1, view.height - 2 * paddingPx);
  const scale = Math.min(width / Math.max(box.width, 1e-6), height / Math.max(box.height, 1e-6), largest);
  return centreOn({ x: box.x + box.width / 2, y: box.y + box.height / 2 }, view, scale);
}

export const centreOn = (middle: Point, view: View, scale: number): Camera => ({
  x: middle.x - view.width / 2 / scale,
  y: middle.y - view.height / 2 / scale,
  scale,
});

/** Zooms while keeping the chart point under `point` in place. */
export function zoomAt(camera: Camera, point: Point, factor: number, limits: Limits): Camera {
  const scale = clampNumber(limits.minScale, camera.scale * factor, limits.maxScale);
  const under = toWorld(camera, point);
  return { x: under.x - point.x / scale, y: under.y - point.y / scale, scale };
}

export const pan = (camera: Camera, byX: number, byY: number): Camera => ({
  ...camera,
  x: camera.x - byX / camera.scale,
  y: camera.y - byY / camera.scale,
});

/** Keeps the camera within its limits: centred if the world is smaller than the view, else never past its edges. */
export function clamp(camera: Camera, view: View, { world, minScale, maxScale }: Limits): Camera {
  const scale = clampNumber(minScale, camera.scale, maxScale);
  const along = (at: number, start: number, length: number, seen: number): number =>
    seen >= length ? start + (length - seen) / 2 : clampNumber(start, at, start + length - seen);
  return {
    x: along(camera.x, world.x, world.width, view.width / scale),
    y: along(camera.y, world.y, world.height, view.height / scale),
    scale,
  };
}

/** The nearest camera that shows `point` at least `marginPx` from the edges, at `leastScale` or larger. */
export function reveal(
  camera: Camera,
  point: Point,
  view: View,
  leastScale: number,
  marginPx: number,
): Camera {
  if (camera.scale < leastScale) return centreOn(point, view, leastScale);
  const marginX = Math.min(marginPx, view.width / 2) / camera.scale;
  const marginY = Math.min(marginPx, view.height / 2) / camera.scale;
  return {
    x: clampNumber(point.x + marginX - view.width / camera.scale, camera.x, point.x - marginX),
    y: clampNumber(point.y + marginY - view.height / camera.scale, camera.y, point.y - marginY),
    scale: camera.scale,
  };
}

/** The camera between two others, `t` from 0 to 1. The scale is interpolated geometrically, so that zooming looks even. */
export function interpolate(from: Camera, to: Camera, view: View, t: number): Camera {
  if (t >= 1) return to;
  const scale = from.scale * (to.scale / from.scale) ** t;
  // The centre moves in proportion to the zoom; moving linearly would look fast when zoomed out and slow when zoomed in.
  const ratio = to.scale / from.scale;
  const share = Math.abs(ratio - 1) < 1e-3 ? t : (1 - from.scale / scale) / (1 - from.scale / to.scale);
  const a = toWorld(from, { x: view.width / 2, y: view.height / 2 });
  const b = toWorld(to, { x: view.width / 2, y: view.height / 2 });
  return centreOn({ x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share }, view, scale);
}

/** The visible part of the world. */
export const visibleBox = (camera: Camera, view: View): Box => ({
  x: camera.x,
  y: camera.y,
  width: view.width / camera.scale,
  height: view.height / camera.scale,
});
