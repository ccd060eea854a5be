import { type Camera, type View, interpolate, pan } from './camera.js';

/** An animation of the camera: easing to a goal, or gliding on after a drag. */
export interface Motion {
  readonly at: (nowMs: number, camera: Camera, view: View) => Camera;
  readonly isOver: (nowMs: number) => boolean;
  readonly zooms: boolean;
}

const EASE_MS = 320;
const GLIDE_MS = 900;
/** The time constant of the slowdown: the speed falls to 1/e. */
const GLIDE_DECAY_MS = 160;

export function easeTo(from: Camera, to: Camera, startMs: number): Motion {
  const eased = (t: number): number => 1 - (1 - t) ** 3;
  return {
    at: (nowMs, _camera, view) =>
      interpolate(from, to, view, eased(Math.min(1, Math.max(0, nowMs - startMs) / EASE_MS))),
    isOver: (nowMs) => nowMs - startMs >= EASE_MS,
    zooms: from.scale !== to.scale,
  };
}

/** Glides on at a speed in pixels per millisecond, slowing down. */
export function glide(speedX: number, speedY: number, startMs: number): Motion {
  let lastMs = startMs;
  return {
    at: (nowMs, camera) => {
      const travelled = (ms: number): number =>
        GLIDE_DECAY_MS * (1 - Math.exp(-Math.max(0, ms - startMs) / GLIDE_DECAY_MS));
      const distance = travelled(nowMs) - travelled(lastMs);
      lastMs = nowMs;
      return pan(camera, speedX * distance, speedY * distance);
    },
    isOver: (nowMs) => nowMs - startMs >= GLIDE_MS,
    zooms: false,
  };
}

export const prefersReducedMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
