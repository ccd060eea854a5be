import { type Camera, type View, blend, pan } from './camera.js';

/** A camera that moves by itself: on its way somewhere, or still sliding after it was let go. */
export interface Motion {
  readonly at: (nowMs: number, camera: Camera, view: View) => Camera;
  readonly isOver: (nowMs: number) => boolean;
  readonly zooms: boolean;
}

const TRAVEL_MS = 320;
const SLIDE_MS = 900;
/** How fast a slide slows down: after this long it has a third of its speed left. */
const SLOWING_MS = 160;

export function travel(from: Camera, to: Camera, startMs: number): Motion {
  const eased = (t: number): number => 1 - (1 - t) ** 3;
  return {
    at: (nowMs, _camera, view) =>
      blend(from, to, view, eased(Math.min(1, Math.max(0, nowMs - startMs) / TRAVEL_MS))),
    isOver: (nowMs) => nowMs - startMs >= TRAVEL_MS,
    zooms: from.scale !== to.scale,
  };
}

/** Slides on at a speed in pixels per millisecond. */
export function slide(speedX: number, speedY: number, startMs: number): Motion {
  let lastMs = startMs;
  return {
    at: (nowMs, camera) => {
      const gone = (ms: number): number =>
        SLOWING_MS * (1 - Math.exp(-Math.max(0, ms - startMs) / SLOWING_MS));
      const way = gone(nowMs) - gone(lastMs);
      lastMs = nowMs;
      return pan(camera, speedX * way, speedY * way);
    },
    isOver: (nowMs) => nowMs - startMs >= SLIDE_MS,
    zooms: false,
  };
}

export const wantsLessMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
