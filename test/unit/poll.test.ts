import { describe, expect, it, vi } from 'vitest';
import type { Admission } from '../../src/waiting-room/admission/admit.js';
import { createPoll } from '../../src/waiting-room/places/poll.js';
import type { QueueToken } from '../../src/waiting-room/places/queue-token-view.js';
import type { PlaceClaim } from '../../src/kernel/caller.js';
import type { Queues } from '../../src/waiting-room/projection/queues.js';
import type { Sql } from '../../src/platform/sql/index.js';

const SLOT_FREE_AT_MS = 1000;
const CLAIM = { userId: 'u', concertId: 'c', placeId: 'p', number: 1, expiresAtMs: Infinity } as PlaceClaim;

/** A poll whose clock advances with every reading, from one millisecond before a slot becomes free. */
function pollAtTheEdge() {
  let nowMs = SLOT_FREE_AT_MS - 1;
  const admit = vi.fn(() => Promise.reject(new Error('the database is gone')));
  const view = { status: 'WAITING', rank: 1 } as QueueToken;
  const queue = { canAdmit: (ms: number) => ms >= SLOT_FREE_AT_MS, stateOf: () => ({ status: 'WAITING' }) };
  const polls = createPoll({
    sql: { nowMs: () => nowMs++ } as Sql,
    queues: { find: () => queue } as unknown as Queues,
    admission: { admit } as unknown as Admission,
    findPlace: () => CLAIM,
    lastSeen: { touchUser: () => undefined },
    viewQueueToken: () => view,
    endedRetentionMs: Infinity,
  });
  return { polls, admit, view };
}

describe('a poll from memory', () => {
  it('starts no admission when a slot becomes free while it runs', () => {
    const { polls, admit, view } = pollAtTheEdge();
    expect(polls.pollFromMemory('token')).toBe(view);
    expect(admit).not.toHaveBeenCalled();
  });
});
