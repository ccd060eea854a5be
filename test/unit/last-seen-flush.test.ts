import { describe, expect, it } from 'vitest';
import type { ActivePlace } from '../../src/waiting-room/projection/place-state.js';
import { QueueProjection } from '../../src/waiting-room/projection/queue-projection.js';
import { DEFAULT_POLICY } from '../../src/waiting-room/policy/policy.js';

const CONCERT = 'concert';
const SECOND_MS = 1000;

describe('flushing last-seen times to the database', () => {
  const IDLE_MS = 100 * SECOND_MS;
  const startMs = 1_000_000_000;
  const activeAt = (number: number, lastSeenAtMs: number): ActivePlace => ({
    concertId: CONCERT,
    placeId: `p${number}`,
    userId: `u${number}`,
    number,
    joinedAtMs: lastSeenAtMs,
    activatedAtMs: lastSeenAtMs,
    expiresAtMs: Number.MAX_SAFE_INTEGER,
    lastSeenAtMs,
    persistedLastSeenAtMs: lastSeenAtMs,
  });
  function projectionOf(...places: ActivePlace[]): QueueProjection {
    const policy = { ...DEFAULT_POLICY, idleSeconds: IDLE_MS / SECOND_MS };
    const progress = {
      lastNumber: places.length,
      admittedThrough: places.length,
      closedThrough: 0,
      closesAtMs: Infinity,
      soldOut: false,
    };
    const projection = new QueueProjection(CONCERT, policy, progress);
    projection.admit(places);
    return projection;
  }
  const numbers = (places: readonly ActivePlace[]): number[] => places.map(({ number }) => number);

  it('is due only for places whose persisted time is a tenth of idleSeconds old', () => {
    const [first, second] = [activeAt(1, startMs), activeAt(2, startMs + 8000)] as const;
    const projection = projectionOf(first, second);
    for (const place of [first, second]) projection.touch(place, startMs + 9000);
    expect(numbers(projection.dueForFlush(startMs + 9999))).toEqual([]);
    expect(numbers(projection.dueForFlush(startMs + 10_000))).toEqual([1]);
    expect(numbers(projection.dueForFlush(startMs + 18_000))).toEqual([1, 2]);
    projection.recordPersistedLastSeen(1, startMs + 9000);
    expect(numbers(projection.dueForFlush(startMs + 18_000))).toEqual([2]);
    projection.recordPersistedLastSeen(2, startMs + 9000);
    expect(numbers(projection.dueForFlush(startMs + 60_000))).toEqual([]);
  });

  it('is due a tenth of idleSeconds after the time that another process has persisted', () => {
    const place = activeAt(1, startMs);
    const projection = projectionOf(place);
    expect(numbers(projection.dueForFlush(startMs + 30_000))).toEqual([]);
    projection.recordPersistedLastSeen(1, startMs + 50_000);
    projection.touch(place, startMs + 59_000);
    expect(numbers(projection.dueForFlush(startMs + 59_999))).toEqual([]);
    expect(numbers(projection.dueForFlush(startMs + 60_000))).toEqual([1]);
  });

  it('is due at shutdown for every place seen since the last flush', () => {
    const [first, second] = [activeAt(1, startMs), activeAt(2, startMs)] as const;
    const projection = projectionOf(first, second);
    projection.touch(first, startMs + 1);
    expect(numbers(projection.dueForFlush(startMs + 1))).toEqual([]);
    expect(numbers(projection.dueForFlush(Infinity))).toEqual([1]);
  });

  it('is due a tenth of showUpSeconds after the admission for the first request, and later ones by idleSeconds', () => {
    const place = activeAt(1, startMs);
    const projection = projectionOf(place);
    projection.changePolicy({ ...projection.policy, showUpSeconds: 50 }, startMs);
    projection.touch(place, startMs + 1);
    expect(numbers(projection.dueForFlush(startMs + 4999))).toEqual([]);
    expect(numbers(projection.dueForFlush(startMs + 5000))).toEqual([1]);
    projection.recordPersistedLastSeen(1, startMs + 1);
    projection.touch(place, startMs + 5000);
    expect(numbers(projection.dueForFlush(startMs + 10_000))).toEqual([]);
    expect(numbers(projection.dueForFlush(startMs + 10_001))).toEqual([1]);
  });

  it('is overdue for a first request in the second half of showUpSeconds, or close to the end', () => {
    for (const [showUpSeconds, afterMs, isOverdue] of [
      [50, 25_000, false],
      [50, 25_001, true],
      [2, 501, true],
      [1, 1, true],
    ] as const) {
      const place = activeAt(1, startMs);
      const projection = projectionOf(place);
      projection.changePolicy({ ...projection.policy, showUpSeconds }, startMs);
      projection.touch(place, startMs + afterMs);
      expect(projection.isFlushOverdue(place)).toBe(isOverdue);
      if (isOverdue) expect(numbers(projection.dueForFlush(startMs + afterMs))).toEqual([1]);
    }
  });

  it('is due immediately for a place that is seen again after a longer silence', () => {
    const place = activeAt(1, startMs);
    const projection = projectionOf(place);
    expect(numbers(projection.dueForFlush(startMs + 50_000))).toEqual([]);
    projection.touch(place, startMs + 50_001);
    expect(numbers(projection.dueForFlush(startMs + 50_001))).toEqual([1]);
    expect(projection.isFlushOverdue(place)).toBe(true);
  });

  it('is not due while idleSeconds is null, and due again once it is set', () => {
    const place = activeAt(1, startMs);
    const projection = projectionOf(place);
    projection.changePolicy({ ...projection.policy, idleSeconds: null }, startMs);
    projection.touch(place, startMs + 10 * IDLE_MS);
    expect(numbers(projection.dueForFlush(startMs + 10 * IDLE_MS))).toEqual([]);
    projection.changePolicy({ ...projection.policy, idleSeconds: 1 }, startMs + 20 * IDLE_MS);
    expect(projection.isExpired(place, startMs + 20 * IDLE_MS + 999)).toBe(false);
    expect(projection.isExpired(place, startMs + 20 * IDLE_MS + 1000)).toBe(true);
    expect(numbers(projection.dueForFlush(startMs + 20 * IDLE_MS))).toEqual([1]);
  });
});
