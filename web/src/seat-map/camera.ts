import type { Box } from './chart.js';

/** Where one looks: the chart's point in the top left corner, and how many CSS pixels its unit takes. */
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

/** What a camera may show: a part of the world, not smaller nor larger than this. */
export interface Limits {
  readonly world: Box;
  readonly minScale: number;
  readonly maxScale: number;
}

const between = (low: number, value: number, high: number): number => Math.min(high, Math.max(low, value));

export const toWorld = (camera: Camera, point: Point): Point => ({
  x: camera.x + point.x / camera.scale,
  y: camera.y + point.y / camera.scale,
});

export const toScreen = (camera: Camera, point: Point): Point => ({
  x: (point.x - camera.x) * camera.scale,
  y: (point.y - camera.y) * camera.scale,
});

/** The camera with `box` in the middle, as large as it fits. */
export function fit(box: Box, view: View, largest: number, paddingPx = 0): Camera {
  const width = Math.max(1, view.width - 2 * paddingPx);
  const height = Math.max(1, view.height - 2 * paddingPx);
  const scale = Math.min(width / Math.max(box.width, 1e-6), height / Math.max(box.height, 1e-6), largest);
  return centred({ x: box.x + box.width / 2, y: box.y + box.height / 2 }, view, scale);
}

export const centred = (middle: Point, view: View, scale: number): Camera => ({
  x: middle.x - view.width / 2 / scale,
  y: middle.y - view.height / 2 / scale,
  scale,
});

/** Zooms so that what lies under `point` stays there. */
export function zoomAt(camera: Camera, point: Point, factor: number, limits: Limits): Camera {
  const scale = between(limits.minScale, camera.scale * factor, limits.maxScale);
  const under = toWorld(camera, point);
  return { x: under.x - point.x / scale, y: under.y - point.y / scale, scale };
}

export const pan = (camera: Camera, byX: number, byY: number): Camera => ({
  ...camera,
  x: camera.x - byX / camera.scale,
  y: camera.y - byY / camera.scale,
});

/** Keeps the world in sight: in the middle when it is smaller than the view, else never past its edge. */
export function clamp(camera: Camera, view: View, { world, minScale, maxScale }: Limits): Camera {
  const scale = between(minScale, camera.scale, maxScale);
  const along = (at: number, start: number, length: number, seen: number): number =>
    seen >= length ? start + (length - seen) / 2 : between(start, at, start + length - seen);
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
  if (camera.scale < leastScale) return centred(point, view, leastScale);
  const marginX = Math.min(marginPx, view.width / 2) / camera.scale;
  const marginY = Math.min(marginPx, view.height / 2) / camera.scale;
  return {
    x: between(point.x + marginX - view.width / camera.scale, camera.x, point.x - marginX),
    y: between(point.y + marginY - view.height / camera.scale, camera.y, point.y - marginY),
    scale: camera.scale,
  };
}

/** Between two cameras, `t` from 0 to 1: the scale by ratio and around the point that moves least, as the eye expects it. */
export function blend(from: Camera, to: Camera, view: View, t: number): Camera {
  if (t >= 1) return to;
  const scale = from.scale * (to.scale / from.scale) ** t;
  // How much of the way the middle has gone follows the zoom, or it would rush when small and crawl when large.
  const ratio = to.scale / from.scale;
  const share = Math.abs(ratio - 1) < 1e-3 ? t : (1 - from.scale / scale) / (1 - from.scale / to.scale);
  const a = toWorld(from, { x: view.width / 2, y: view.height / 2 });
  const b = toWorld(to, { x: view.width / 2, y: view.height / 2 });
  return centred({ x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share }, view, scale);
}

/** The part of the world that is seen. */
export const seenBox = (camera: Camera, view: View): Box => ({
  x: camera.x,
  y: camera.y,
  width: view.width / camera.scale,
  height: view.height / camera.scale,
});
