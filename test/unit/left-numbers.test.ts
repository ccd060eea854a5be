import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LeftNumbers } from '../../src/waiting-room/projection/left-numbers.js';

/** Small numbers that repeat often, the edges of words and blocks, and distant numbers that make every array grow. */
const number = fc.oneof(
  fc.nat({ max: 100 }),
  fc.nat({ max: 5000 }),
  fc
    .tuple(fc.constantFrom(32, 1024, 2048, 65_536), fc.integer({ min: -1, max: 1 }))
    .map(([edge, by]) => edge + by),
  fc.nat({ max: 3_000_000 }),
);
const numbers = fc.array(number, { maxLength: 60 });

const countThrough = (plain: ReadonlySet<number>, last: number): number =>
  [...plain].filter((each) => each <= last).length;

describe('the numbers that have left', () => {
  it('are counted up to any number like a plain set', () => {
    fc.assert(
      fc.property(numbers, numbers, (added, queried) => {
        const left = new LeftNumbers();
        for (const each of added) left.add(each);
        const plain = new Set(added);
        const inputs = [...queried, ...added, ...added.map((last) => last + 1), 4_000_000];
        const results = inputs.map((each) => [left.has(each), left.countThrough(each)]);
        expect(results).toEqual(inputs.map((each) => [plain.has(each), countThrough(plain, each)]));
      }),
      { numRuns: 200 },
    );
  });

  it('are counted correctly for every number of a queue, left in any order', () => {
    const queue = Array.from({ length: 2200 }, (_, index) => index);
    fc.assert(
      fc.property(fc.shuffledSubarray(queue.slice(0, 2100)), (order) => {
        const left = new LeftNumbers();
        for (const each of order) left.add(each);
        const plain = new Set(order);
        let count = 0;
        const counts = queue.map((each) => (count += plain.has(each) ? 1 : 0));
        expect(queue.map((each) => left.countThrough(each))).toEqual(counts);
      }),
      { numRuns: 20 },
    );
  });

  it('are empty at first, and a number added twice counts once', () => {
    const left = new LeftNumbers();
    expect([left.countThrough(0), left.countThrough(1_000_000), left.has(7)]).toEqual([0, 0, false]);
    left.add(7);
    left.add(7);
    expect([6, 7, 8, 1_000_000].map((each) => left.countThrough(each))).toEqual([0, 1, 1, 1]);
    left.add(5000);
    expect([4999, 5000].map((each) => left.countThrough(each))).toEqual([1, 2]);
  });
});
