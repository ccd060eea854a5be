import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seatRunsOf } from '../../src/seating/map/seat-runs.js';
import { computeGeometry, type SeatGeometry } from '../../src/seating/map/seat-geometry.js';

interface Section {
  readonly name: string;
  readonly rows: number;
  readonly seatsPerRow: number;
  readonly grade: string;
}

const seatsOf = (sections: readonly Section[]) =>
  sections.flatMap(({ name, rows, seatsPerRow, grade }) =>
    Array.from({ length: rows * seatsPerRow }, (_, index) => ({
      section: name,
      row: String(Math.floor(index / seatsPerRow) + 1),
      grade,
      price: 1,
      x: null,
      y: null,
    })),
  );

const geometryOf = (sections: readonly Section[]): SeatGeometry => computeGeometry(seatsOf(sections));

const anySection = fc.record({
  rows: fc.integer({ min: 1, max: 12 }),
  seatsPerRow: fc.integer({ min: 1, max: 30 }),
  grade: fc.constantFrom('VIP', 'R', 'S'),
});
const anyHall = fc
  .array(anySection, { minLength: 1, maxLength: 30 })
  .map((sections) => sections.map((section, index) => ({ ...section, name: `S${index}` })));

const ARENA = [
  ...Array.from({ length: 4 }, () => 'VIP'),
  ...Array.from({ length: 8 }, () => 'R'),
  ...Array.from({ length: 8 }, () => 'S'),
  ...Array.from({ length: 4 }, () => 'A'),
].map((grade, index) => ({ name: `S${index}`, rows: 20, seatsPerRow: 25, grade }));

const bottomOf = ({ y, height }: { y: number; height: number }): number => y + height;
const rightOf = ({ x, width }: { x: number; width: number }): number => x + width;

describe('the computed layout of a hall', () => {
  it('keeps sections apart from each other and from the stage, within the size of the hall', () => {
    fc.assert(
      fc.property(anyHall, (sections) => {
        const geometry = geometryOf(sections);
        expect(geometry.sections.map(({ name }) => name)).toEqual(sections.map(({ name }) => name));
        const boxes = [geometry.stage, ...geometry.sections];
        boxes.forEach((a, index) => {
          expect(a.x).toBeGreaterThanOrEqual(0);
          expect(a.y).toBeGreaterThanOrEqual(0);
          expect(rightOf(a)).toBeLessThanOrEqual(geometry.size.width);
          expect(bottomOf(a)).toBeLessThanOrEqual(geometry.size.height);
          for (const b of boxes.slice(index + 1)) {
            const isApart = rightOf(a) < b.x || rightOf(b) < a.x || bottomOf(a) < b.y || bottomOf(b) < a.y;
            expect(isApart).toBe(true);
          }
        });
      }),
    );
  });

  it('puts every seat inside its section and adjacent seats 1 apart', () => {
    fc.assert(
      fc.property(anyHall, (sections) => {
        const geometry = geometryOf(sections);
        const misplaced = geometry.rowOf.filter((row, seat) => {
          const box = geometry.sections[geometry.rows[row]!.section]!;
          const [x, y] = [geometry.x[seat]!, geometry.y[seat]!];
          const isInside = x > box.x && x < rightOf(box) && y > box.y && y < bottomOf(box);
          const isFirst = seat === 0 || geometry.rowOf[seat - 1] !== row;
          const isBesideNext = Math.abs(x - geometry.x[seat - 1]! - 1) < 0.02 && y === geometry.y[seat - 1];
          return !isInside || !(isFirst || isBesideNext);
        });
        expect(misplaced).toEqual([]);
      }),
    );
  });

  it('arranges an arena in one centred tier per grade', () => {
    const { sections, size, stage } = geometryOf(ARENA);
    const fronts = [...new Set(sections.map(({ y }) => y))];
    const tiers = fronts.map((front) => sections.filter(({ y }) => y === front));
    expect(tiers.map((tier) => tier.length)).toEqual([4, 8, 8, 4]);
    for (const tier of tiers) {
      expect((tier[0]!.x + rightOf(tier.at(-1)!)) / 2).toBeCloseTo(size.width / 2, 1);
    }
    expect(stage.x + stage.width / 2).toBeCloseTo(size.width / 2, 1);
    expect(size.width / size.height).toBeGreaterThan(1.2);
    expect(size.width / size.height).toBeLessThan(2.4);
  });

  it('is neither too narrow nor too wide for any number of sections', () => {
    for (const count of [1, 2, 5, 50, 200]) {
      const sections = Array.from({ length: count }, (_, index) => ({
        name: `S${index}`,
        rows: 20,
        seatsPerRow: 50,
        grade: 'R',
      }));
      const { size } = geometryOf(sections);
      expect(size.width / size.height).toBeGreaterThan(0.8);
      expect(size.width / size.height).toBeLessThan(5);
    }
  });

  it('distinguishes the rows of a section by their name', () => {
    const { rows, rowOf } = geometryOf([
      { name: 'A', rows: 2, seatsPerRow: 2, grade: 'R' },
      { name: 'B', rows: 1, seatsPerRow: 1, grade: 'R' },
    ]);
    expect(rows).toEqual([
      { section: 0, name: '1' },
      { section: 0, name: '2' },
      { section: 1, name: '1' },
    ]);
    expect(rowOf).toEqual([0, 0, 1, 1, 2]);
  });

  it('takes less than 3 seconds for 100,000 seats', () => {
    const sections = Array.from({ length: 500 }, (_, index) => ({
      name: `S${index}`,
      rows: 10,
      seatsPerRow: 20,
      grade: `G${index % 7}`,
    }));
    const startedMs = performance.now();
    const seats = seatsOf(sections);
    expect(seatRunsOf(computeGeometry(seats), seats)).toHaveLength(5000);
    expect(performance.now() - startedMs).toBeLessThan(3000);
  });
});

describe('the layout of an imported hall', () => {
  const seat = (row: string, x: number, y: number) => ({
    section: 'A',
    row,
    grade: 'R',
    price: 1,
    x,
    y,
  });

  it('keeps the relative positions of the seats, in front of a stage', () => {
    const geometry = computeGeometry([seat('1', 500, 900), seat('1', 600, 950), seat('2', 550, 1100)]);
    const shift = [geometry.x[0]! - 5, geometry.y[0]! - 9] as const;
    expect(geometry.x.map((x) => x - shift[0])).toEqual([5, 6, 5.5].map((x) => expect.closeTo(x)));
    expect(geometry.y.map((y) => y - shift[1])).toEqual([9, 9.5, 11].map((y) => expect.closeTo(y)));
    expect(Math.min(...geometry.y)).toBeGreaterThan(bottomOf(geometry.stage));
  });

  it('splits a row at a wider gap, in whatever order the seats are listed', () => {
    const seats = [300, 0, 100, 500, 400].map((x) => seat('1', x, 0));
    const runs = seatRunsOf(computeGeometry(seats), seats).map((run) => run.seats);
    expect(runs).toHaveLength(2);
    expect(runs).toContainEqual([1, 2]);
    expect(runs).toContainEqual([0, 4, 3]);
  });

  it('orders a row that runs from front to back', () => {
    const seats = [200, 0, 100].map((y) => seat('1', 0, y));
    expect(seatRunsOf(computeGeometry(seats), seats).map((run) => run.seats)).toEqual([[1, 2, 0]]);
  });
});
