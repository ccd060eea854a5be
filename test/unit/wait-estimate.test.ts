import { describe, expect, it } from 'vitest';
import { pollAfterMs } from '../../src/waiting-room/projection/wait-estimate.js';

const RANKS = [1, 10, 1000, 1_000_000];
const WAITS = [null, 1, 60, 3600];
/** The ends of the jitter. */
const CHANCES = [0, 0.5, 0.999_999];

describe('when to ask again', () => {
  it('is before anybody who was just let in could be found idle, however long the line', () => {
    for (const idleSeconds of [1, 3, 10, 300]) {
      for (const rank of RANKS) {
        for (const wait of WAITS) {
          for (const chance of CHANCES) {
            expect(pollAfterMs(rank, wait, idleSeconds, chance)).toBeLessThan((idleSeconds * 1000) / 2);
          }
        }
      }
    }
  });

  it('is later for who waits longer, and never as late as half a minute', () => {
    const byRank = RANKS.map((rank) => pollAfterMs(rank, null, null, 0.5));
    expect(byRank).toEqual([...byRank].sort((a, b) => a - b));
    expect(new Set(byRank).size).toBeGreaterThan(1);
    for (const rank of RANKS) expect(pollAfterMs(rank, 3600, 300, 1)).toBeLessThan(30_000);
  });
});
