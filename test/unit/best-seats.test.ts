import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestChoices, type SeatChoice, type SeatRequest } from '../../src/seating/best-seats/best-choices.js';
import { computeGeometry } from '../../src/seating/map/seat-geometry.js';
import { type SeatRun, seatRunsOf } from '../../src/seating/map/seat-runs.js';

/**
 * A hall of rows from front to back, centred on the stage: `x` is a taken seat, `.` a free one, `-` a free one of a lower
 * grade, a space an aisle.
 */
function createHall(...rows: readonly string[]): { runs: SeatRun[]; isAvailable: (seat: number) => boolean } {
  const free: boolean[] = [];
  const runs: SeatRun[] = [];
  rows.forEach((row, depth) => {
    const middle = (row.length - 1) / 2;
    const empty = (): Record<'seats' | 'ranks' | 'distances', number[]> => ({
      seats: [],
      ranks: [],
      distances: [],
    });
    let run = empty();
    const close = (): void => {
      if (run.seats.length > 0)
        runs.push({ ...run, bestRank: Math.min(...run.ranks), nearest: Math.min(...run.distances) });
      run = empty();
    };
    Array.from(row).forEach((mark, at) => {
      if (mark === ' ') {
        close();
        return;
      }
      run.seats.push(free.length);
      run.ranks.push(Number(mark === '-'));
      run.distances.push(Math.hypot((at - middle) / 2, 3 + depth * 1.2));
      free.push(mark !== 'x');
    });
    close();
  });
  runs.sort((a, b) => a.bestRank - b.bestRank || a.nearest - b.nearest);
  return { runs, isAvailable: (seat) => free[seat] ?? false };
}

const request = (count: number, isAvailable: (seat: number) => boolean): SeatRequest => ({
  count,
  isAvailable,
  matchesGrade: () => true,
});

const firstChoice = (choices: Iterable<SeatChoice>): readonly number[] | undefined => [...choices][0]?.seats;
const choose = (count: number, ...rows: readonly string[]): readonly number[] | undefined => {
  const { runs, isAvailable } = createHall(...rows);
  return firstChoice(bestChoices(runs, request(count, isAvailable)));
};

describe('the best seats', () => {
  it('are in the middle of the first row', () => {
    expect(choose(2, '..........', '..........')).toEqual([4, 5]);
    expect(choose(1, '.....', '.....')).toEqual([2]);
  });

  it('are in the next row when the first has too few adjacent free seats', () => {
    expect(choose(3, '..x..x..', '........')).toEqual([10, 11, 12]);
  });

  it('do not span an aisle', () => {
    expect(choose(2, '. .', '. .')).toBeUndefined();
    expect(choose(3, '.. ..', '.....')).toEqual([4, 5, 6]);
  });

  it('leave no single free seat when that can be avoided', () => {
    expect(choose(2, '...', '....')).toEqual([3, 4]);
    expect(choose(2, '....')).toEqual([0, 1]);
    expect(choose(2, '.....')).toEqual([0, 1]);
    expect(choose(1, 'x..x.')).toEqual([4]);
  });

  it('leave a single free seat when that cannot be avoided', () => {
    expect(choose(2, '...')).toHaveLength(2);
  });

  it('have the requested grade only', () => {
    const { runs, isAvailable } = createHall('....', '....');
    const matchesGrade = (seat: number): boolean => seat >= 4;
    expect(firstChoice(bestChoices(runs, { ...request(2, isAvailable), matchesGrade }))).toEqual([4, 5]);
    expect(
      firstChoice(bestChoices(runs, { ...request(2, isAvailable), matchesGrade: () => false })),
    ).toBeUndefined();
  });

  it('fill rows of even length with pairs up to the last seat', () => {
    for (const length of [2, 4, 6, 8, 10, 12, 14, 16]) {
      const { runs, isAvailable } = createHall(...Array.from({ length: 6 }, () => '.'.repeat(length)));
      const taken = [...bestChoices(runs, request(2, isAvailable))].flatMap(({ seats }) => seats);
      expect(new Set(taken).size, `rows of ${length}`).toBe(6 * length);
    }
  });

  it('are of the better grade, even further back or next to a single free seat', () => {
    expect(choose(2, '-----', '-----', '.....')).toEqual([10, 11]);
    expect(choose(2, '------', 'xx...x')).toEqual([8, 9]);
  });

  it('are of two grades only when no row has enough adjacent seats of the better one', () => {
    expect(choose(3, '..---', '.....')).toEqual([5, 6, 7]);
    expect(choose(3, '..-xx', '.x.xx')).toEqual([0, 1, 2]);
  });

  describe('in a curved hall', () => {
    /** Rows of arcs around the stage, half a circle wide. The sides are nearer to the stage's edge than the middle is. */
    const curved = (gradeAt: (row: number, degrees: number) => readonly [grade: string, price: number]) => {
      const seats = Array.from({ length: 10 }, (_, row) => row).flatMap((row) => {
        const radius = 12 + row * 1.2;
        const count = Math.floor((Math.PI * radius) / 1.1);
        return Array.from({ length: count }, (_, number) => {
          const angle = (number / (count - 1) - 0.5) * Math.PI;
          const degrees = Math.abs((angle * 180) / Math.PI);
          const [grade, price] = gradeAt(row, degrees);
          const x = Math.round(Math.sin(angle) * radius * 100);
          const y = Math.round(Math.cos(angle) * radius * 100);
          return { section: 'A', row: String(row), grade, price, x, y, degrees, atRow: row };
        });
      });
      const runs = seatRunsOf(computeGeometry(seats), seats);
      const [first] = bestChoices(
        runs,
        request(2, () => true),
      );
      return first?.seats.flatMap((seat) => seats[seat] ?? []) ?? [];
    };

    it('are in the middle of the first row, not at its ends beside the stage', () => {
      for (const { atRow, degrees } of curved(() => ['R', 100])) {
        expect(atRow).toBe(0);
        expect(degrees).toBeLessThan(8);
      }
    });

    it('are in the middle of a better grade, not at the sides of the front', () => {
      const best = curved((row, degrees) =>
        degrees < 45 && row >= 3 ? ['VIP', 300] : degrees < 45 ? ['R', 200] : ['S', 100],
      );
      expect(best.map(({ grade, atRow }) => [grade, atRow])).toEqual([
        ['VIP', 3],
        ['VIP', 3],
      ]);
      for (const { degrees } of best) expect(degrees).toBeLessThan(8);
    });
  });

  const anyRow = fc.array(fc.constantFrom('.', '.', '.', '-', 'x', ' '), { maxLength: 12 });
  const anyRows = fc.array(
    anyRow.map((marks) => marks.join('')),
    { minLength: 1, maxLength: 5 },
  );

  /** Scores every run of `count` adjacent free seats by the definition of the rule, best first. */
  function searchExhaustively(
    runs: readonly SeatRun[],
    isAvailable: (seat: number) => boolean,
    count: number,
  ): SeatChoice[] {
    const all: SeatChoice[] = [];
    for (const { seats, ranks, distances } of runs) {
      const isAvailableAt = (at: number): boolean => at >= 0 && at < seats.length && isAvailable(seats[at]!);
      for (let from = 0; from + count <= seats.length; from += 1) {
        const places = Array.from({ length: count }, (_, index) => from + index);
        if (!places.every(isAvailableAt)) continue;
        let before = 0;
        while (isAvailableAt(from - 1 - before)) before += 1;
        let after = 0;
        while (isAvailableAt(from + count + after)) after += 1;
        const distance = places.reduce((sum, at) => sum + distances[at]!, 0) / count;
        all.push({
          seats: places.map((at) => seats[at]!),
          rank: Math.max(...places.map((at) => ranks[at]!)),
          orphans: Number(before === 1) + Number(after === 1),
          score: distance + Number(before % count > 0) + Number(after % count > 0),
        });
      }
    }
    return all.sort(
      (a, b) => a.rank - b.rank || a.orphans - b.orphans || a.score - b.score || a.seats[0]! - b.seats[0]!,
    );
  }

  it('match an exhaustive search', () => {
    fc.assert(
      fc.property(anyRows, fc.integer({ min: 1, max: 5 }), (rows, count) => {
        const { runs, isAvailable } = createHall(...rows);
        const [best] = searchExhaustively(runs, isAvailable, count);
        expect(firstChoice(bestChoices(runs, request(count, isAvailable)))).toEqual(best?.seats);
      }),
      { numRuns: 500 },
    );
  });

  it('match an exhaustive search for every further choice after the better ones are taken', () => {
    fc.assert(
      fc.property(anyRows, fc.integer({ min: 1, max: 4 }), (rows, count) => {
        const { runs, isAvailable } = createHall(...rows);
        const taken = new Set<number>();
        const isStillAvailable = (seat: number): boolean => isAvailable(seat) && !taken.has(seat);
        for (const { seats } of bestChoices(runs, request(count, isAvailable))) {
          expect(seats).toEqual(searchExhaustively(runs, isStillAvailable, count)[0]?.seats);
          for (const seat of seats) taken.add(seat);
        }
        expect(searchExhaustively(runs, isStillAvailable, count)).toEqual([]);
      }),
    );
  });
});
