import { describe, expect, it, onTestFinished } from 'vitest';
import type { Sabotage } from '../support/simulation/sabotage.js';
import { SimulationRunner } from '../support/simulation/simulation-runner.js';

/** Within so many histories a missing guard must be noticed. */
const SEEDS_MAX = 200;

const SABOTAGES: Readonly<Record<string, Sabotage>> = {
  'a claim that asks nobody whether the seat is free': {
    statements: { claim_free_seats: [`AND status = 'AVAILABLE'`, ''] },
    breaks: ['a seat has at most one hold at a time', 'a live reservation owns its seats'],
  },
  'a run-out hold that still keeps its seats': {
    statements: { lock_seats: ['held_until AS', 'held_until + 60000 AS'] },
    breaks: ['a seat with an expired hold is free immediately'],
  },
  'a hold that can be paid after its end': {
    statements: {
      lock_reservation: ['expires_at AS', 'expires_at + 60000 AS'],
      confirm_reservation: ['AND expires_at > $2', 'AND $2 = $2'],
      sell_seats: ['AND held_until > $3', 'AND $3 = $3'],
    },
    breaks: ['an expired hold cannot be paid'],
  },
  'a gate that lets ended places pay': {
    statements: {
      lock_place: ['p.status,', `'ACTIVE' AS status,`],
      use_up_place: [`AND status = 'ACTIVE' AND expires_at > $2`, ''],
    },
    breaks: ['an ended place or hold stays ended', 'booking requires an ACTIVE place'],
  },
  'one seat more than allowed': {
    statements: { insert_reservation: ['<= $12', '<= $12 + 1'] },
    breaks: ['a user never exceeds maxSeatsPerUser'],
  },
  'a debit that does not look at the balance': {
    statements: { debit_wallet: ['AND balance >= $2', ''] },
    withoutChecks: true,
    breaks: ['a balance is never negative'],
  },
  'an entry that says something else': {
    statements: { insert_entry: ['CAST($4 AS BIGINT)', 'CAST($4 AS BIGINT) + 1'] },
    breaks: ['each wallet entry continues from the one before'],
  },
  'a refund that is not marked': {
    statements: { mark_refunded: ['AND refunded_at IS NULL', ''] },
    breaks: ['the engine reports no internal error'],
  },
  'keys that nobody looks up': {
    statements: {
      find_kept_answer: ['AND key = $2', 'AND key = $2 AND 1 = 0'],
      keep_answer: ['DO NOTHING', 'DO UPDATE SET body = excluded.body'],
    },
    breaks: ['a repeated key returns the same bytes', 'every charge was requested'],
  },
  'a second place for whoever is waiting': {
    statements: { join_line: [`('WAITING', 'ACTIVE')`, `('ACTIVE')`] },
    drop: 'DROP INDEX one_live_place',
    breaks: ['a user has at most one live place'],
  },
  'the last in line let in first': {
    statements: { admit_next: ['ORDER BY number', 'ORDER BY number DESC'] },
    breaks: ['places are admitted in order of their numbers'],
  },
  'one more let in than there is room for': {
    statements: { count_active: ['count(*)', 'count(*) - 1'] },
    breaks: ['admission follows the policy'],
  },
  'a period that ends too early': {
    statements: { count_admitted_since: ['activated_at > $2', 'activated_at > $2 + 8000'] },
    breaks: ['admission follows the policy'],
  },
  'places that run out too late': {
    statements: { expire_run_out: ['expires_at <= $2', 'expires_at <= $2 - 5000'] },
    breaks: ['an expired place is marked as ended', 'a free slot is filled'],
  },
  'places that idle out too early': {
    statements: { expire_run_out: ['last_seen_at <= $3', 'last_seen_at <= $3 + 2000'] },
    breaks: ['a place does not expire early'],
  },
  'a restart that forgets who left': {
    statements: { list_left_waiting: [`status = 'LEFT'`, `status = 'DONE'`] },
    breaks: ['a rank is 1 + the number of WAITING places in front'],
  },
  'a refusal that is not undone': {
    statements: { undo: ['ROLLBACK TO', 'SAVEPOINT'] },
    breaks: ['a live reservation owns its seats'],
  },
  'an answer before the commit': {
    answersBeforeCommit: true,
    breaks: ['an acknowledged write is never lost'],
  },
};

/** How many histories it takes until a promise is broken that hangs on what was taken away. */
async function seedsUntilNoticed(sabotage: Sabotage): Promise<number> {
  const runner = await SimulationRunner.open(sabotage);
  onTestFinished(() => {
    runner.close();
  });
  for (let seed = 1; seed <= SEEDS_MAX; seed += 1) {
    const failure = await runner.runSeed(seed, 'no shrink');
    if (failure && sabotage.breaks.includes(failure.violation.invariant)) return seed;
  }
  return Infinity;
}

describe('the simulation notices', () => {
  it.each(Object.entries(SABOTAGES))('%s', { timeout: 120_000 }, async (_, sabotage) => {
    expect(await seedsUntilNoticed(sabotage)).toBeLessThanOrEqual(SEEDS_MAX);
  });
});
