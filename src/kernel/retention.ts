import { DAY_MS, HOUR_MS } from './time.js';

/** How long rows are kept that nothing needs any more, in milliseconds. Jobs delete older ones in batches. */
export type Retention = Readonly<Record<RetentionName, number>>;

export type RetentionName = keyof typeof RETENTION_SETTINGS;

interface RetentionSetting {
  /** The environment variable is `FOYER_RETENTION_` and this. */
  readonly variable: string;
  readonly unitMs: number;
  readonly min: number;
  readonly max: number;
  readonly standard: number;
}

/** docs/settings.md documents each. */
export const RETENTION_SETTINGS = {
  // The API promises one hour, and admission in portions counts the places of up to two.
  placesMs: { variable: 'PLACES_HOURS', unitMs: HOUR_MS, min: 2, max: 168, standard: 2 },
  idempotencyKeysMs: { variable: 'IDEMPOTENCY_HOURS', unitMs: HOUR_MS, min: 1, max: 168, standard: 24 },
  reservationsMs: { variable: 'RESERVATIONS_DAYS', unitMs: DAY_MS, min: 1, max: 3650, standard: 30 },
  samplesMs: { variable: 'SAMPLES_DAYS', unitMs: DAY_MS, min: 1, max: 3650, standard: 30 },
  // Longer than the link of an invitation is valid.
  mailsMs: { variable: 'MAILS_DAYS', unitMs: DAY_MS, min: 4, max: 3650, standard: 7 },
  auditMs: { variable: 'AUDIT_DAYS', unitMs: DAY_MS, min: 1, max: 3650, standard: 730 },
} as const satisfies Record<string, RetentionSetting>;
