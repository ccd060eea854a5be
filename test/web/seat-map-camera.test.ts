import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  interpolate,
  clamp,
  fit,
  pan,
  reveal,
  visibleBox,
  toScreen,
  toWorld,
  zoomAt,
} from '../../web/src/seat-map/camera/camera.js';

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const anyCamera = fc.record({ x: number(-200, 200), y: number(-200, 200), scale: number(2, 50) });
const anyView = fc.record({ width: number(200, 2_000), height: number(200, 2_000) });
const anyPoint = fc.record({ x: number(0, 1_000), y: number(0, 1_000) });
const limits = { world: { x: -10, y: -10, width: 120, height: 90 }, minScale: 2, maxScale: 50 };

describe('the camera', () => {
  it('shows the whole box it is fitted to, centred', () => {
    fc.assert(
      fc.property(anyView, number(1, 300), number(1, 300), (view, width, height) => {
        const box = { x: 5, y: -7, width, height };
        const seen = visibleBox(fit(box, view, 1_000, 10), view);
        expect(seen.x).toBeLessThanOrEqual(box.x);
        expect(seen.y).toBeLessThanOrEqual(box.y);
        expect(seen.x + seen.width / 2).toBeCloseTo(box.x + width / 2, 4);
        expect(seen.y + seen.height / 2).toBeCloseTo(box.y + height / 2, 4);
      }),
    );
  });

  it('keeps the point under the finger in place while zooming', () => {
    fc.assert(
      fc.property(anyCamera, anyPoint, number(0.2, 5), (camera, point, factor) => {
        const under = toWorld(camera, point);
        const after = zoomAt(camera, point, factor, limits);
        expect(toScreen(after, under).x).toBeCloseTo(point.x, 4);
        expect(toScreen(after, under).y).toBeCloseTo(point.y, 4);
        expect(after.scale).toBeGreaterThanOrEqual(limits.minScale);
        expect(after.scale).toBeLessThanOrEqual(limits.maxScale);
      }),
    );
  });

  it('follows a drag', () => {
    const camera = { x: 3, y: 4, scale: 10 };
    expect(pan(camera, 20, -30)).toEqual({ x: 1, y: 7, scale: 10 });
  });

  it('is clamped to the world, idempotently', () => {
    fc.assert(
      fc.property(anyCamera, anyView, (camera, view) => {
        const once = clamp(camera, view, limits);
        const seen = visibleBox(once, view);
        const { world } = limits;
        if (seen.width < world.width) {
          expect(seen.x).toBeGreaterThanOrEqual(world.x - 1e-9);
          expect(seen.x + seen.width).toBeLessThanOrEqual(world.x + world.width + 1e-9);
        } else expect(seen.x + seen.width / 2).toBeCloseTo(world.x + world.width / 2, 6);
        const twice = clamp(once, view, limits);
        expect(twice.x).toBeCloseTo(once.x, 9);
        expect(twice.y).toBeCloseTo(once.y, 9);
      }),
    );
  });

  it('reveals a seat at a minimum size, idempotently', () => {
    fc.assert(
      fc.property(anyCamera, anyView, number(-300, 300), number(-300, 300), (camera, view, x, y) => {
        const after = reveal(camera, { x, y }, view, 24, 60);
        const at = toScreen(after, { x, y });
        expect(after.scale).toBeGreaterThanOrEqual(24);
        expect(at.x).toBeGreaterThanOrEqual(60 - 1e-6);
        expect(at.x).toBeLessThanOrEqual(view.width - 60 + 1e-6);
        expect(at.y).toBeGreaterThanOrEqual(60 - 1e-6);
        expect(at.y).toBeLessThanOrEqual(view.height - 60 + 1e-6);
        const again = reveal(after, { x, y }, view, 24, 60);
        expect(again.x).toBeCloseTo(after.x, 6);
        expect(again.scale).toBe(after.scale);
      }),
    );
  });

  it('interpolates between two cameras within their scales', () => {
    fc.assert(
      fc.property(anyCamera, anyCamera, anyView, number(0, 1), (from, to, view, t) => {
        const { scale } = interpolate(from, to, view, t);
        expect(scale).toBeGreaterThanOrEqual(Math.min(from.scale, to.scale) - 1e-9);
        expect(scale).toBeLessThanOrEqual(Math.max(from.scale, to.scale) + 1e-9);
        expect(interpolate(from, to, view, 1)).toEqual(to);
        expect(interpolate(from, to, view, 0).x).toBeCloseTo(from.x, 6);
      }),
    );
  });
});
