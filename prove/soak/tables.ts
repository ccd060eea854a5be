import type { Mode } from '../deployment/deployment.js';

const SECOND_MS = 1000;
const HOUR_MS = 3600 * SECOND_MS;

/** Rows that the soak counts. */
export interface CountedRows {
  readonly name: string;
  readonly from: string;
  /** How long a row stays; null for rows that Foyer keeps for longer than any soak, or for good. */
  readonly retentionMs: number | null;
  readonly modes: readonly Mode[];
}

const BOTH: readonly Mode[] = ['embedded', 'cluster'];
const CLUSTER: readonly Mode[] = ['cluster'];

/** The shortest retention that the settings allow. */
export const RETENTION_ENV = { FOYER_RETENTION_IDEMPOTENCY_HOURS: '1' } as const;

export const COUNTED_ROWS: readonly CountedRows[] = [
  { name: 'live places', from: `places WHERE status IN ('WAITING', 'ACTIVE')`, retentionMs: 0, modes: BOTH },
  { name: 'unpaid holds', from: `reservations WHERE status = 'HELD'`, retentionMs: 0, modes: BOTH },
  { name: 'outbox', from: 'outbox', retentionMs: null, modes: BOTH },
  { name: 'rate_buckets', from: 'rate_buckets', retentionMs: 180 * SECOND_MS, modes: CLUSTER },
  { name: 'changes', from: 'changes', retentionMs: 360 * SECOND_MS, modes: CLUSTER },
  { name: 'idempotency_keys', from: 'idempotency_keys', retentionMs: HOUR_MS, modes: BOTH },
  { name: 'places', from: 'places', retentionMs: null, modes: BOTH },
  { name: 'samples', from: 'samples', retentionMs: null, modes: BOTH },
  { name: 'audit_entries', from: 'audit_entries', retentionMs: null, modes: BOTH },
  { name: 'reservations', from: 'reservations', retentionMs: null, modes: BOTH },
  { name: 'wallet_entries', from: 'wallet_entries', retentionMs: null, modes: BOTH },
];
