import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeChart } from '../../web/src/seat-map/chart/chart.js';
import { createSeatGrid, sectionAt } from '../../web/src/seat-map/chart/seat-grid.js';
import { type Move, moveFrom, nextFree } from '../../web/src/seat-map/chart/seat-navigation.js';
import { chartBody, hall, seatWithLabel } from './seat-map-fixture.js';

describe('the seat grid', () => {
  const scattered = fc.array(
    fc.record({
      x: fc.double({ min: 0, max: 60, noNaN: true }),
      y: fc.double({ min: 0, max: 40, noNaN: true }),
    }),
    { minLength: 1, maxLength: 60 },
  );
  const chartOf = (places: readonly { x: number; y: number }[]) => {
    const body = chartBody([{ name: 'A', x: 0, y: 0, rows: 1, seatsPerRow: places.length }]);
    return decodeChart({
      ...body,
      seats: { ...body.seats, x: places.map(({ x }) => x), y: places.map(({ y }) => y) },
    });
  };

  it('finds the same seats in a box as a linear search', () => {
    fc.assert(
      fc.property(scattered, fc.nat(60), fc.nat(40), fc.nat(30), (places, x, y, side) => {
        const chart = chartOf(places);
        const found: number[] = [];
        createSeatGrid(chart).within({ x, y, width: side, height: side }, (seat) => found.push(seat));
        const expected = places.flatMap((_, seat) => {
          const [sx, sy] = [chart.seats.x[seat]!, chart.seats.y[seat]!];
          return sx >= x && sx <= x + side && sy >= y && sy <= y + side ? [seat] : [];
        });
        expect(found.sort((a, b) => a - b)).toEqual(expected);
      }),
    );
  });

  it('finds the nearest seat within reach, or none', () => {
    fc.assert(
      fc.property(
        scattered,
        fc.nat(60),
        fc.nat(40),
        fc.integer({ min: 1, max: 9 }),
        (places, x, y, reach) => {
          const chart = chartOf(places);
          const away = (seat: number) => Math.hypot(chart.seats.x[seat]! - x, chart.seats.y[seat]! - y);
          const closest = Math.min(...places.map((_, seat) => away(seat)));
          const found = createSeatGrid(chart).nearest(x, y, reach);
          if (closest > reach) expect(found).toBe(-1);
          else expect(away(found)).toBe(closest);
        },
      ),
    );
  });

  it('finds the section at a point, or none between sections', () => {
    const chart = hall();
    expect(chart.sections[sectionAt(chart, 2, 6)]?.name).toBe('A');
    expect(chart.sections[sectionAt(chart, 9, 6.5)]?.name).toBe('B');
    expect(sectionAt(chart, 6, 6)).toBe(-1);
  });
});

describe('keyboard navigation', () => {
  const chart = hall();
  const from = (label: string, move: Move): string | undefined =>
    chart.seats.label[moveFrom(chart, seatWithLabel(chart, label), move)];

  it.each([
    ['A 2-2', 'left', 'A 2-1'],
    ['A 2-2', 'right', 'A 2-3'],
    ['A 2-2', 'up', 'A 1-2'],
    ['A 2-2', 'down', 'A 3-2'],
    ['A 2-2', 'rowStart', 'A 2-1'],
    ['A 2-2', 'rowEnd', 'A 2-4'],
    ['A 2-4', 'right', 'B 2-1'],
    ['B 2-1', 'left', 'A 2-4'],
    ['A 3-2', 'down', 'C 1-2'],
    ['C 1-2', 'up', 'A 3-2'],
    ['A 1-1', 'up', 'A 1-1'],
    ['A 1-1', 'left', 'A 1-1'],
    ['A 2-2', 'nextSection', 'B 1-1'],
    ['C 2-2', 'previousSection', 'B 1-1'],
    ['C 2-2', 'nextSection', 'C 2-2'],
    ['B 2-2', 'first', 'A 1-1'],
    ['B 2-2', 'last', 'C 2-5'],
  ] as const)('from %s %s to %s', (start, move, goal) => {
    expect(from(start, move)).toBe(goal);
  });

  it('follows vertical rows', () => {
    const body = chartBody([{ name: 'A', x: 0, y: 0, rows: 2, seatsPerRow: 3 }]);
    const upright = decodeChart({
      ...body,
      seats: { ...body.seats, x: [1, 1, 1, 2, 2, 2], y: [1, 2, 3, 1, 2, 3] },
    });
    expect(moveFrom(upright, 1, 'down')).toBe(2);
    expect(moveFrom(upright, 1, 'right')).toBe(4);
  });

  it('reaches every seat with the arrow and section keys', () => {
    const seen = new Set([0]);
    for (const seat of seen) {
      for (const move of ['left', 'right', 'up', 'down', 'nextSection', 'previousSection'] as const) {
        seen.add(moveFrom(chart, seat, move));
      }
    }
    expect(seen.size).toBe(chart.seats.count);
  });

  it('moves to the next free seat, wraps around, and stays if none is free', () => {
    const free = new Set([2, 7]);
    const isFree = (seat: number): boolean => free.has(seat);
    expect(nextFree(10, 2, 1, isFree)).toBe(7);
    expect(nextFree(10, 7, 1, isFree)).toBe(2);
    expect(nextFree(10, 2, -1, isFree)).toBe(7);
    expect(nextFree(10, -1, 1, isFree)).toBe(2);
    expect(nextFree(10, 4, 1, () => false)).toBe(4);
  });
});
