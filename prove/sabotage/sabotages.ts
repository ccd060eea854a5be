import { ADMISSION_WITHOUT_LOCK, type Sabotage } from '../../test/support/sabotage/sabotage.js';
import type { Mode } from '../deployment/deployment.js';

/** A sabotage of one rule: which guards it weakens, and which invariants must then be reported as violated. */
export interface SabotageCase extends Sabotage {
  readonly name: string;
  readonly description: string;
  /** The modes in which it can be weakened; the first is the default. */
  readonly modes: readonly [Mode, ...Mode[]];
  /** At least one of these checks must report a violation. */
  readonly breaks: readonly string[];
  /** The faults without which the missing guard does not show; none by default. */
  readonly faults?: (mode: Mode) => readonly string[];
}

export const SABOTAGES: readonly SabotageCase[] = [
  {
    name: 'seat-claim',
    description: 'a seat is claimed only while it is available',
    breaks: ['held-once', 'sold-once'],
    modes: ['cluster', 'embedded'],
    guards: { 'seat-available': () => true, 'claim-available': () => 'true' },
  },
  {
    name: 'wallet',
    description: 'a debit is covered by the balance',
    breaks: ['money'],
    modes: ['cluster'],
    guards: { 'wallet-balance': () => true, 'wallet-unchanged': () => 'true' },
    sql: `ALTER TABLE wallets DROP CONSTRAINT wallets_balance_check;
      ALTER TABLE wallet_entries DROP CONSTRAINT wallet_entries_balance_after_check`,
  },
  {
    name: 'one-place',
    description: 'a user has one live place per concert',
    breaks: ['one-place'],
    modes: ['cluster'],
    guards: { 'one-live-place': () => `p.status = 'NONE'` },
    sql: 'DROP INDEX one_live_place',
  },
  {
    name: 'admission-lock',
    description: 'one transaction at a time admits',
    breaks: ['capacity', 'in-order'],
    modes: ['cluster'],
    guards: ADMISSION_WITHOUT_LOCK,
  },
  {
    name: 'idempotency',
    description: 'a repeated key finds the stored response',
    breaks: ['same-key', 'nothing-lost'],
    modes: ['cluster', 'embedded'],
    guards: {
      'idempotency-lookup': () => 'key = $2 AND status = 0',
      'idempotency-insert': () => 'DO UPDATE SET body = excluded.body',
    },
    faults: () => ['lost-answers', 'replay'],
  },
  {
    name: 'refused-member',
    description: 'a refused member of a batch does not undo the others',
    breaks: ['nothing-lost'],
    modes: ['cluster', 'embedded'],
    guards: {
      'batch-keeps-accepted': ({ accepted, others }: { accepted: readonly unknown[]; others: number }) => ({
        accepted: others > 0 ? [] : accepted,
      }),
    },
  },
  {
    name: 'expiry',
    description: 'an expired hold cannot be paid',
    breaks: ['in-time'],
    modes: ['cluster', 'embedded'],
    guards: {
      'reservation-expiry': (status: string) => (status === 'EXPIRED' ? 'HELD' : status),
      'sell-all-seats': () => true,
      'confirm-unexpired': () => 'true',
      'sell-unexpired': () => 'true',
    },
  },
  {
    name: 'portions',
    description: 'an admission counts the places admitted within the period',
    breaks: ['portions'],
    modes: ['cluster', 'embedded'],
    guards: { 'admission-period': () => 'CAST($2 AS BIGINT) + 3600000' },
  },
  {
    name: 'idle-time',
    description: 'a place expires when its fan is idle, not before',
    breaks: ['idle'],
    modes: ['cluster', 'embedded'],
    guards: { 'place-idle-time': () => 'CAST($3 AS BIGINT) + 2500' },
  },
  {
    name: 'max-active',
    description: 'an admission counts the ACTIVE places',
    breaks: ['policy'],
    modes: ['cluster', 'embedded'],
    guards: { 'active-count': () => '0 * count(*)' },
  },
  {
    name: 'refund-once',
    description: 'a payment is refunded once',
    breaks: ['refunds'],
    modes: ['cluster', 'embedded'],
    guards: {
      'refund-once': () => 'true',
      'refund-confirmed': () => 'true',
      'refund-frees-seats': () => true,
    },
  },
  {
    name: 'closing',
    description: 'nobody waits once the sale has closed',
    breaks: ['ends'],
    modes: ['cluster', 'embedded'],
    guards: { 'waiting-until-closing': () => Infinity },
  },
  {
    name: 'sold-out',
    description: 'a sale is sold out when no seat is unsold',
    breaks: ['ends'],
    modes: ['cluster', 'embedded'],
    // Names both parameters: PostgreSQL must know their types.
    guards: {
      'sold-out-seats': () =>
        'CASE WHEN CAST($1 AS TEXT) IS NULL AND CAST($2 AS BIGINT) IS NULL THEN 1 ELSE 0 END',
    },
  },
  {
    name: 'join-sold-out',
    description: 'nobody joins a sold-out sale',
    breaks: ['ends'],
    modes: ['cluster', 'embedded'],
    guards: { 'join-unless-sold-out': () => 'true' },
  },
  {
    name: 'late-read',
    description: 'no dates or seats are shown once the sale has closed',
    breaks: ['ends'],
    modes: ['cluster', 'embedded'],
    guards: { 'read-before-closing': () => false },
  },
  {
    name: 'late-hold',
    description: 'nothing is held once the sale has closed',
    breaks: ['ends'],
    modes: ['cluster', 'embedded'],
    guards: { 'hold-before-closing': () => 'OPEN' },
  },
  {
    name: 'late-payment',
    description: 'nothing is paid with a place once the sale has closed',
    breaks: ['ends'],
    modes: ['cluster', 'embedded'],
    // A hold that still is one when the sale has closed, and a payment that accepts it.
    guards: { 'shorten-holds': () => 'CAST($2 AS BIGINT) < 0', 'pay-before-closing': () => 'OPEN' },
  },
  {
    name: 'hold-consumes',
    description: 'with consumeOn RESERVATION a hold consumes the place',
    breaks: ['consumed'],
    modes: ['cluster', 'embedded'],
    guards: { 'hold-consumes-place': () => false },
  },
  {
    name: 'retry-after',
    description: 'a refusal by a rate limit says when to try again',
    breaks: ['limited'],
    modes: ['cluster', 'embedded'],
    guards: { 'retry-after': () => 0 },
  },
  {
    name: 'durable-answer',
    description: 'a response means that the transaction is on disk',
    breaks: ['nothing-lost'],
    modes: ['embedded', 'cluster'],
    guards: {
      'sqlite-durable-answer': (commit: () => void) => () => void setTimeout(commit, 50),
      'postgres-durable-answer': (settings: object) => ({ ...settings, synchronous_commit: 'off' }),
    },
    faults: (mode) => (mode === 'embedded' ? ['kill'] : ['db-crash']),
  },
];
