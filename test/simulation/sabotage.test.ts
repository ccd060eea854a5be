import { useStoppedTimers } from '../support/stopped-timers.js';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { weakenGuards } from '../support/sabotage/guard.js';
import type { Sabotage } from '../support/simulation/sabotage.js';
import { SimulationRunner } from '../support/simulation/simulation-runner.js';

vi.mock('../../src/kernel/guard.js', () => import('../support/sabotage/guard.js'));

/** A missing guard must be detected within this many histories. */
const SEEDS_MAX = 200;

const ENDS_WITH_SALE = 'a hold whose payment needs the place never outlives the sale';

const SABOTAGES: Readonly<Record<string, Sabotage>> = {
  'a claim that ignores whether the seat is available': {
    guards: { 'seat-available': () => true, 'claim-available': () => 'true' },
    breaks: ['a seat has at most one hold at a time', 'a live reservation owns its seats'],
  },
  'an expired hold that keeps its seats': {
    guards: { 'seat-hold-expiry': () => 'held_until + 60000' },
    breaks: ['a seat with an expired hold is free immediately'],
  },
  'a hold that can be paid after it expired': {
    guards: {
      'reservation-expiry': (status: string) => (status === 'EXPIRED' ? 'HELD' : status),
      'sell-all-seats': () => true,
      'confirm-unexpired': () => 'true',
      'sell-unexpired': () => 'true',
    },
    breaks: ['an expired hold cannot be paid'],
  },
  'a gate that admits ended places to payment': {
    guards: {
      'place-active': () => `'ACTIVE'`,
      'place-live': () => 'p.joined_at >= 0',
      'consume-active': () => 'true',
    },
    breaks: ['an ended place or hold stays ended', 'booking requires an ACTIVE place'],
  },
  'one seat more than allowed': {
    guards: { 'seat-limit': (limit: number) => limit + 1 },
    breaks: ['a user never exceeds maxSeatsPerUser'],
  },
  'a debit that ignores the balance': {
    guards: { 'wallet-balance': () => true, 'wallet-unchanged': () => 'true' },
    withoutChecks: true,
    breaks: ['a balance is never negative'],
  },
  'an entry with another amount than the one that moved': {
    guards: { 'entry-amount': (amount: string) => `${amount} + 1` },
    breaks: ['each wallet entry continues from the one before'],
  },
  'a refund that can be repeated': {
    guards: { 'refund-once': () => 'true' },
    breaks: ['the engine reports no internal error'],
  },
  'idempotency keys that are never found': {
    guards: {
      'idempotency-lookup': () => 'key = $2 AND 1 = 0',
      'idempotency-insert': () => 'DO UPDATE SET body = excluded.body',
    },
    breaks: ['a repeated key returns the same bytes', 'every charge was requested'],
  },
  'a second place for a fan who is waiting': {
    guards: { 'one-live-place': () => `p.status = 'ACTIVE' AND p.joined_at >= 0` },
    drop: 'DROP INDEX one_live_place',
    breaks: ['a user has at most one live place'],
  },
  'admission that starts at the end of the queue': {
    guards: { 'admission-order': () => 'ORDER BY number DESC LIMIT $3' },
    breaks: ['places are admitted in order of their numbers'],
  },
  'admission of one more than there are slots': {
    guards: { 'active-count': () => 'count(*) - 1' },
    breaks: ['admission follows the policy'],
  },
  'an admission period that ends too early': {
    guards: { 'admission-period': () => '$2 + 8000' },
    breaks: ['admission follows the policy'],
  },
  'places that expire too late': {
    guards: { 'place-lifetime': () => '$2 - 5000' },
    breaks: ['an expired place is marked as ended', 'a free slot is filled'],
  },
  'places that expire as idle too early': {
    guards: { 'place-idle-time': () => '$3 + 2000' },
    breaks: ['a place does not expire early'],
  },
  'places of fans who did show up expire as no-shows': {
    guards: { 'place-show-up': () => '$4 + 3000' },
    breaks: ['a place does not expire early'],
  },
  'no-shows that keep their slots': {
    guards: { 'place-show-up': () => '-1 + 0 * $4' },
    breaks: ['an expired place is marked as ended', 'a free slot is filled'],
  },
  'a restart that forgets who left the queue': {
    guards: { 'left-places': () => `status = 'DONE'` },
    breaks: ['a rank is 1 + the number of WAITING places in front'],
  },
  'an admission after the sale has closed': {
    guards: { 'admission-before-closing': () => Infinity },
    breaks: ['nobody is admitted to a closed sale', 'an ended place or hold stays ended'],
  },
  'a sale that is sold out while seats are left': {
    guards: { 'sold-out-seats': () => '1' },
    breaks: ['a place is closed only with its sale', 'joining is refused only when the sale has ended'],
  },
  'a hold that the end of the sale does not end': {
    guards: { 'shorten-holds': () => 'CAST($2 AS BIGINT) < 0' },
    breaks: [ENDS_WITH_SALE],
  },
  'a hold that does not see the end of the sale': {
    guards: { 'hold-sale-end': () => () => Promise.resolve(new Map()) },
    breaks: [ENDS_WITH_SALE],
  },
  'a refused member that undoes the others of its batch': {
    guards: {
      'batch-keeps-accepted': ({ accepted, others }: { accepted: readonly unknown[]; others: number }) => ({
        accepted: others > 0 ? [] : accepted,
      }),
    },
    breaks: ['an acknowledged write is never lost', 'a live reservation owns its seats'],
  },
  'an acknowledgement before the commit': {
    answersBeforeCommit: true,
    breaks: ['an acknowledged write is never lost'],
  },
};

/** Runs histories until the simulation reports an invariant that this sabotage breaks. */
async function seedsUntilDetected(sabotage: Sabotage): Promise<number> {
  const runner = await SimulationRunner.open(sabotage);
  weakenGuards(sabotage.guards ?? {});
  onTestFinished(() => {
    weakenGuards({});
    runner.close();
  });
  for (let seed = 1; seed <= SEEDS_MAX; seed += 1) {
    const failure = await runner.runSeed(seed, 'no shrink');
    if (failure && sabotage.breaks.includes(failure.violation.invariant)) return seed;
  }
  return Infinity;
}

describe('the simulation detects', () => {
  useStoppedTimers();

  it.each(Object.entries(SABOTAGES))('%s', { timeout: 120_000 }, async (_, sabotage) => {
    expect(await seedsUntilDetected(sabotage)).toBeLessThanOrEqual(SEEDS_MAX);
  });
});
