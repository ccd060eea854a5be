import { describe, expect, it } from 'vitest';
import {
  estimateWaitSeconds,
  Pace,
  pollAfterMs,
  type QueueSpeed,
} from '../../src/waiting-room/projection/wait-estimate.js';

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

describe('estimateWaitSeconds', () => {
  const NOW_MS = 1_000_000_000;
  const BY_RATE = { maxActive: null, admitCount: 50, admitEverySeconds: 5 };
  const BY_SLOTS = { maxActive: 100, admitCount: null, admitEverySeconds: null };

  /** So many fans got a slot in each of the last seconds. */
  function paceOf(perSecond: number, seconds: number): Pace {
    const pace = new Pace();
    for (let ago = seconds; ago > 0; ago -= 1) pace.admitted(NOW_MS - ago * 1000, perSecond);
    return pace;
  }
  const speed = (policy: QueueSpeed['policy'], part: Partial<QueueSpeed> = {}): QueueSpeed => ({
    policy,
    openSlots: policy.maxActive === null ? Infinity : 0,
    nextByRateMs: 0,
    pace: new Pace(),
    ...part,
  });

  it('uses the rate of the policy from the first second, whatever was measured', () => {
    const firstBatchOnly = new Pace();
    firstBatchOnly.admitted(NOW_MS - 10_000, 50);
    for (const pace of [new Pace(), firstBatchOnly, paceOf(1, 100)])
      expect(estimateWaitSeconds(3900, speed(BY_RATE, { pace }), NOW_MS)).toBe(390);
    const both = { ...BY_RATE, maxActive: 100 };
    expect(estimateWaitSeconds(3900, speed(both, { pace: firstBatchOnly }), NOW_MS)).toBe(390);
  });

  it('adds the time until the next batch', () => {
    const rate = speed(
      { ...BY_RATE, admitCount: 2, admitEverySeconds: 600 },
      { nextByRateMs: NOW_MS + 90_500 },
    );
    expect([0, 1, 2, 3, 4].map((ahead) => estimateWaitSeconds(ahead, rate, NOW_MS))).toEqual([
      91, 91, 691, 691, 1291,
    ]);
  });

  it('is longer than by the rate if full slots have become free more slowly for a minute', () => {
    const policy = { ...BY_RATE, maxActive: 100 };
    const pace = paceOf(1, 100);
    expect(estimateWaitSeconds(3899, speed(policy, { pace }), NOW_MS)).toBe(3900);
    expect(estimateWaitSeconds(3899, speed(policy, { pace, openSlots: 50 }), NOW_MS)).toBe(385);
    expect(estimateWaitSeconds(3899, speed(policy, { pace: paceOf(1, 30) }), NOW_MS)).toBe(385);
  });

  it('is null with a rate, too, while every slot is taken and no fan got a freed one', () => {
    const policy = { ...BY_RATE, maxActive: 100 };
    expect(estimateWaitSeconds(10, speed(policy), NOW_MS)).toBeNull();
    expect(estimateWaitSeconds(10, speed(policy, { openSlots: 1 }), NOW_MS)).toBe(0);
    expect(estimateWaitSeconds(10, speed(policy, { pace: paceOf(50, 1) }), NOW_MS)).toBe(0);
  });

  it('is measured where only slots limit, and null until a fan got a freed one', () => {
    expect(estimateWaitSeconds(10, speed(BY_SLOTS), NOW_MS)).toBeNull();
    expect(estimateWaitSeconds(9, speed(BY_SLOTS, { pace: paceOf(2, 20) }), NOW_MS)).toBe(5);
  });

  it('is zero for a fan for whom a slot is free', () => {
    expect(estimateWaitSeconds(9, speed(BY_SLOTS, { openSlots: 10 }), NOW_MS)).toBe(0);
    expect(estimateWaitSeconds(9, speed({ ...BY_SLOTS, maxActive: null }), NOW_MS)).toBe(0);
  });
});
