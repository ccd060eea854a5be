import { describe, expect, it } from 'vitest';
import { pollAfterMs } from '../../src/waiting-room/projection/wait-estimate.js';

const RANKS = [1, 10, 1000, 1_000_000];
const WAITS = [null, 1, 60, 3600];
const NO_LIMITS = { idleSeconds: null, showUpSeconds: null };
/** Smallest, middle and largest jitter. */
const JITTERS = [0, 0.5, 0.999_999];

describe('pollAfterMs', () => {
  it('is below half of idleSeconds and of showUpSeconds at every rank, so an admitted fan polls in time', () => {
    for (const seconds of [1, 3, 10, 300]) {
      const policies = [
        { idleSeconds: seconds, showUpSeconds: null },
        { idleSeconds: 1000, showUpSeconds: seconds },
      ];
      for (const policy of policies) {
        for (const rank of RANKS) {
          for (const wait of WAITS) {
            for (const jitter of JITTERS)
              expect(pollAfterMs(rank, wait, policy, jitter)).toBeLessThan((seconds * 1000) / 2);
          }
        }
      }
    }
  });

  it('grows with the rank and stays below 30 seconds', () => {
    const byRank = RANKS.map((rank) => pollAfterMs(rank, null, NO_LIMITS, 0.5));
    expect(byRank).toEqual([...byRank].sort((a, b) => a - b));
    expect(new Set(byRank).size).toBeGreaterThan(1);
    for (const rank of RANKS) expect(pollAfterMs(rank, 3600, NO_LIMITS, 1)).toBeLessThan(30_000);
  });
});
