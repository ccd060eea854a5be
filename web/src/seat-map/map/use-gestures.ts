import { type RefObject, useEffect } from 'react';
import type { Point } from '../camera/camera.js';
import type { Engine } from './engine.js';

/** A smaller movement is a tap, not a drag. */
const TAP_SLOP_PX = 8;
const GLIDE_FROM_PX_PER_MS = 0.25;
/** The speed of a glide is measured over the last moments of the drag. */
const SPEED_WINDOW_MS = 80;

export interface GestureHandlers {
  readonly onTap: (point: Point) => void;
  readonly onHover: (point: Point | undefined) => void;
}

/** Handles drag, pinch, wheel and tap on the map. */
export function useGestures(
  surface: RefObject<HTMLElement | null>,
  engine: RefObject<Engine | null>,
  handlers: RefObject<GestureHandlers>,
): void {
  useEffect(() => {
    const element = surface.current;
    if (!element) return undefined;
    const listeners = new AbortController();
    const { signal } = listeners;
    const down = new Map<number, Point>();
    let trail: (Point & { atMs: number })[] = [];
    let isTap = false;
    let start: Point = { x: 0, y: 0 };

    const pointOf = (event: MouseEvent): Point => {
      const { left, top } = element.getBoundingClientRect();
      return { x: event.clientX - left, y: event.clientY - top };
    };

    const onDown = (event: PointerEvent): void => {
      if (event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      engine.current?.stopMotion();
      const point = pointOf(event);
      down.set(event.pointerId, point);
      isTap = down.size === 1;
      start = point;
      trail = [];
      handlers.current.onHover(undefined);
    };

    const onMove = (event: PointerEvent): void => {
      const point = pointOf(event);
      const before = down.get(event.pointerId);
      if (!before) {
        if (event.pointerType === 'mouse') handlers.current.onHover(point);
        return;
      }
      if (isTap && Math.hypot(point.x - start.x, point.y - start.y) < TAP_SLOP_PX) return;
      isTap = false;
      const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
      down.set(event.pointerId, point);
      if (other) pinch(before, point, other);
      else {
        engine.current?.panBy(point.x - before.x, point.y - before.y);
        trail = [...trail, { ...point, atMs: event.timeStamp }].filter(
          ({ atMs }) => event.timeStamp - atMs < SPEED_WINDOW_MS,
        );
      }
    };

    const pinch = (before: Point, now: Point, other: Point): void => {
      const middle = (a: Point): Point => ({ x: (a.x + other.x) / 2, y: (a.y + other.y) / 2 });
      const apart = (a: Point): number => Math.max(1, Math.hypot(a.x - other.x, a.y - other.y));
      engine.current?.panBy(middle(now).x - middle(before).x, middle(now).y - middle(before).y);
      engine.current?.zoomBy(apart(now) / apart(before), middle(now));
    };

    const onUp = (event: PointerEvent): void => {
      if (!down.delete(event.pointerId)) return;
      if (isTap) handlers.current.onTap(start);
      else if (down.size === 0) glideOn(event.timeStamp);
      isTap = false;
      trail = [];
    };

    const glideOn = (nowMs: number): void => {
      const [first, last] = [trail[0], trail.at(-1)];
      if (!first || !last || last.atMs <= first.atMs || nowMs - last.atMs > SPEED_WINDOW_MS / 2) return;
      const tookMs = last.atMs - first.atMs;
      const [speedX, speedY] = [(last.x - first.x) / tookMs, (last.y - first.y) / tookMs];
      if (Math.hypot(speedX, speedY) > GLIDE_FROM_PX_PER_MS) engine.current?.glide(speedX, speedY);
    };

    const onCancel = (event: PointerEvent): void => {
      // The browser took over the gesture to scroll the page.
      down.delete(event.pointerId);
      isTap = false;
    };

    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const inPx = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      const [x, y] = [event.deltaX * inPx, event.deltaY * inPx];
      if (event.shiftKey || Math.abs(x) > Math.abs(y)) engine.current?.panBy(-x, event.shiftKey ? -y : 0);
      // A touchpad pinch arrives as wheel events with Ctrl and much smaller steps.
      else engine.current?.zoomBy(Math.exp(-y * (event.ctrlKey ? 0.01 : 0.0018)), pointOf(event));
    };

    element.addEventListener('pointerdown', onDown, { signal });
    element.addEventListener('pointermove', onMove, { signal });
    element.addEventListener('pointerup', onUp, { signal });
    element.addEventListener('pointercancel', onCancel, { signal });
    element.addEventListener(
      'pointerleave',
      () => {
        handlers.current.onHover(undefined);
      },
      { signal },
    );
    element.addEventListener('wheel', onWheel, { signal, passive: false });
    return () => {
      listeners.abort();
    };
  }, [surface, engine, handlers]);
}
