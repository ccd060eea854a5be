import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../src/waiting-room/policy/policy.js';
import { QueueProjection } from '../../src/waiting-room/projection/queue-projection.js';

const CONCERT = 'concert';
const SECOND_MS = 1000;
const PROGRESS = {
  lastNumber: 1,
  admittedThrough: 1,
  closedThrough: 0,
  closesAtMs: Infinity,
  soldOut: false,
};

describe('an ACTIVE place loaded at startup', () => {
  it('is ACTIVE and does not count towards the pace of admissions', () => {
    const nowMs = 1_000_000;
    const place = {
      concertId: CONCERT,
      placeId: 'p',
      userId: 'u',
      number: 1,
      joinedAtMs: nowMs - 2 * SECOND_MS,
      activatedAtMs: nowMs,
      expiresAtMs: nowMs + 10 * SECOND_MS,
      lastSeenAtMs: nowMs,
      persistedLastSeenAtMs: 0,
    };
    const paceAfter = (add: (projection: QueueProjection) => void): number | null => {
      const projection = new QueueProjection(CONCERT, DEFAULT_POLICY, PROGRESS);
      add(projection);
      expect(projection.stateOf('p', 1, nowMs).status).toBe('ACTIVE');
      return projection.pace.perSecond(nowMs + 4 * SECOND_MS);
    };
    expect(
      paceAfter((projection) => {
        projection.addActive(place);
      }),
    ).toBeNull();
    expect(
      paceAfter((projection) => {
        projection.admit([place]);
      }),
    ).not.toBeNull();
  });
});
