import type { QueueRow } from '../queries.js';

/**
 * When a time limit starts at the earliest, for all places of a queue: a shorter limit counts from when it is set, and
 * the time without a server does not count.
 */
export interface LimitsFrom {
  readonly idleFromMs: number;
  readonly showUpFromMs: number;
}

/** How far a queue has advanced, and when it closes. */
export type QueueProgress = Pick<
  QueueRow,
  'lastNumber' | 'admittedThrough' | 'closedThrough' | 'closesAtMs'
> & {
  readonly soldOut: boolean;
};
