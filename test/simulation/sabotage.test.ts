import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { weakenGuards } from '../support/sabotage/guard.js';
import type { Sabotage } from '../support/simulation/sabotage.js';
import { Theatre } from '../support/simulation/seeds.js';

vi.mock('../../src/kernel/guard.js', () => import('../support/sabotage/guard.js'));

/** Within so many histories a missing guard must be noticed. */
const SEEDS_MAX = 200;

const SABOTAGES: Readonly<Record<string, Sabotage>> = {
  'a claim that ignores whether the seat is available': {
    guards: { 'seat-available': () => 'true' },
    breaks: ['a seat is held by one at a time', 'whoever has a reservation has its seats'],
  },
  'an expired hold that keeps its seats': {
    guards: { 'seat-hold-expiry': () => 'held_until + 60000' },
    breaks: ['a seat that has run out is free at once'],
  },
  'a hold that can be paid after it expired': {
    guards: {
      'reservation-expiry': (status: string) => (status === 'EXPIRED' ? 'HELD' : status),
      'confirm-unexpired': () => '$2 = $2',
      'sell-unexpired': () => '$3 = $3',
    },
    breaks: ['a hold is not paid after its end'],
  },
  'a gate that admits ended places to payment': {
    guards: { 'place-active': () => `'ACTIVE'`, 'consume-active': () => '$2 = $2' },
    breaks: ['what has ended stays ended', 'nobody books without an ACTIVE place'],
  },
  'one seat more than allowed': {
    guards: { 'seat-limit': () => '$12 + 1' },
    breaks: ['nobody has more seats than allowed'],
  },
  'a debit that ignores the balance': {
    guards: { 'wallet-balance': () => 'true' },
    withoutChecks: true,
    breaks: ['a balance is never below zero'],
  },
  'an entry with another amount than the one that moved': {
    guards: { 'entry-amount': () => 'CAST($4 AS BIGINT) + 1' },
    breaks: ['each entry follows from the one before'],
  },
  'a refund that can be repeated': {
    guards: { 'refund-once': () => 'true' },
    breaks: ['the engine does not fail'],
  },
  'idempotency keys that are never found': {
    guards: {
      'idempotency-lookup': () => 'key = $2 AND 1 = 0',
      'idempotency-insert': () => 'DO UPDATE SET body = excluded.body',
    },
    breaks: ['the same key is answered with the same bytes', 'nothing is charged that nobody asked for'],
  },
  'a second place for a fan who is waiting': {
    guards: { 'one-live-place': () => `p.status = 'ACTIVE' AND p.joined_at >= 0` },
    drop: 'DROP INDEX one_live_place',
    breaks: ['a user has one live place'],
  },
  'admission that starts at the end of the queue': {
    guards: { 'admission-order': () => 'ORDER BY number DESC LIMIT $3' },
    breaks: ['nobody overtakes'],
  },
  'admission of one more than there are slots': {
    guards: { 'active-count': () => 'count(*) - 1' },
    breaks: ['nobody is let in beyond the policy'],
  },
  'an admission period that ends too early': {
    guards: { 'admission-period': () => '$2 + 8000' },
    breaks: ['nobody is let in beyond the policy'],
  },
  'places that expire too late': {
    guards: { 'place-lifetime': () => '$2 - 5000' },
    breaks: ['what has run out is written down', 'a free slot is filled'],
  },
  'places that expire as idle too early': {
    guards: { 'place-idle-time': () => '$3 + 2000' },
    breaks: ['a place has its whole time'],
  },
  'a restart that forgets who left the queue': {
    guards: { 'left-places': () => `status = 'DONE'` },
    breaks: ['a rank is 1 + those waiting in front'],
  },
  'a refused transaction that is not rolled back': {
    guards: { 'savepoint-rollback': () => 'SAVEPOINT' },
    breaks: ['whoever has a reservation has its seats'],
  },
  'an acknowledgement before the commit': {
    answersBeforeCommit: true,
    breaks: ['what was acknowledged is never lost'],
  },
};

/** How many histories it takes until a promise is broken that hangs on what was taken away. */
async function seedsUntilNoticed(sabotage: Sabotage): Promise<number> {
  const theatre = await Theatre.open(sabotage);
  weakenGuards(sabotage.guards ?? {});
  onTestFinished(() => {
    weakenGuards({});
    theatre.close();
  });
  for (let seed = 1; seed <= SEEDS_MAX; seed += 1) {
    const failure = await theatre.try(seed, 'as it was drawn');
    if (failure && sabotage.breaks.includes(failure.broken.promise)) return seed;
  }
  return Infinity;
}

describe('the simulation notices', () => {
  it.each(Object.entries(SABOTAGES))('%s', { timeout: 120_000 }, async (_, sabotage) => {
    expect(await seedsUntilNoticed(sabotage)).toBeLessThanOrEqual(SEEDS_MAX);
  });
});
