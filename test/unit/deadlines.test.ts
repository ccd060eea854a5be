import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Deadlines } from '../../src/waiting-room/projection/deadlines.js';

interface Item {
  atMs: number;
  isLive: boolean;
  isTaken: boolean;
}

const step = fc.record({
  do: fc.constantFrom('add' as const, 'postpone' as const, 'remove' as const, 'wait' as const),
  pick: fc.nat({ max: 1000 }),
  ms: fc.integer({ min: 0, max: 50 }),
});

describe('deadlines', () => {
  it('return each live item once, when its latest deadline has come', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 400 }), (history) => {
        const items: Item[] = [];
        const deadlines = new Deadlines<Item>(
          ({ atMs }) => atMs,
          ({ isLive }) => isLive,
        );
        let nowMs = 0;
        for (const { do: what, pick, ms } of history) {
          const item = items[pick % Math.max(1, items.length)];
          if (what === 'add') {
            const added = { atMs: nowMs + ms, isLive: true, isTaken: false };
            items.push(added);
            deadlines.add(added);
          } else if (what === 'postpone' && item) item.atMs += ms;
          else if (what === 'remove' && item) item.isLive = false;
          else nowMs += ms;
          const due = items.filter((each) => each.isLive && !each.isTaken && each.atMs <= nowMs);
          const taken = deadlines.takeDue(nowMs);
          expect(new Set(taken)).toEqual(new Set(due));
          expect(taken).toHaveLength(due.length);
          for (const each of taken) each.isTaken = true;
        }
      }),
      { numRuns: 300 },
    );
  });

  it('forget removed items long before their deadlines', () => {
    const live = new Set<object>();
    let checks = 0;
    const deadlines = new Deadlines<object>(
      () => 1_000_000,
      (item) => {
        checks += 1;
        return live.has(item);
      },
    );
    for (let count = 0; count < 100_000; count += 1) {
      const item = {};
      live.add(item);
      deadlines.add(item);
      live.delete(item);
    }
    checks = 0;
    expect(deadlines.takeDue(1_000_000)).toEqual([]);
    expect(checks).toBeLessThan(1000);
  });
});
