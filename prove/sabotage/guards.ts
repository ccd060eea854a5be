import type { Edit } from '../../test/support/race/copy.js';
import type { Mode } from '../deployment/deployment.js';

/** Something that Foyer's promises rest on, and how to take it away. */
export interface Guard {
  readonly name: string;
  readonly says: string;
  /** Where it can be taken away; the first unless told otherwise. */
  readonly modes: readonly [Mode, ...Mode[]];
  readonly edits: (mode: Mode) => readonly Edit[];
  /** SQL that takes away the database's own second guard. */
  readonly drop?: string;
  /** At least one of these must be found broken. */
  readonly breaks: readonly string[];
  /** The faults without which its absence does not show; none unless told. */
  readonly faults?: (mode: Mode) => readonly string[];
}

export const GUARDS: readonly Guard[] = [
  {
    name: 'seat-claim',
    says: 'a seat is claimed only while it is free',
    breaks: ['held-once', 'sold-once'],
    modes: ['cluster', 'embedded'],
    edits: () => [{ file: 'reservations/queries.js', from: "AND status = 'AVAILABLE'`", to: 'AND true`' }],
  },
  {
    name: 'wallet',
    says: 'a wallet is debited only by what it has',
    breaks: ['money'],
    modes: ['cluster'],
    edits: () => [
      {
        file: 'wallet/queries.js',
        from: 'AND balance >= $2 RETURNING',
        to: 'AND CAST($2 AS BIGINT) >= 0 RETURNING',
      },
    ],
    drop: `ALTER TABLE wallets DROP CONSTRAINT wallets_balance_check;
      ALTER TABLE wallet_entries DROP CONSTRAINT wallet_entries_balance_after_check`,
  },
  {
    name: 'one-place',
    says: 'whoever has a live place is given no other',
    breaks: ['one-place'],
    modes: ['cluster'],
    edits: () => [
      {
        file: 'waiting-room/queries.js',
        from: 'p.user_id = r.user_id AND p.concert_id = $1 AND ${LIVE}',
        to: "p.user_id = r.user_id AND p.concert_id = $1 AND p.status = 'NONE'",
      },
    ],
    drop: 'DROP INDEX one_live_place',
  },
  {
    name: 'admission-lock',
    says: 'one at a time lets people in',
    breaks: ['capacity', 'in-order'],
    modes: ['cluster'],
    edits: () => [
      { file: 'waiting-room/admit.js', from: ' lockRoom,', to: ' findRoom as lockRoom,' },
      {
        file: 'waiting-room/queries.js',
        from: 'ORDER BY number LIMIT $3`)',
        to: 'ORDER BY number LIMIT $3 FOR UPDATE SKIP LOCKED`)',
      },
    ],
  },
  {
    name: 'idempotency',
    says: 'what was done under a key is found again',
    breaks: ['same-key', 'nothing-lost'],
    modes: ['cluster', 'embedded'],
    edits: () => [
      {
        file: 'http/idempotency-queries.js',
        from: 'FROM idempotency_keys WHERE user_id = $1 AND key = $2',
        to: 'FROM idempotency_keys WHERE user_id = $1 AND key = $2 AND status = 0',
      },
      {
        file: 'http/idempotency-queries.js',
        from: 'ON CONFLICT (user_id, key) DO NOTHING',
        to: 'ON CONFLICT (user_id, key) DO UPDATE SET body = excluded.body',
      },
    ],
    faults: () => ['lost-answers', 'replay'],
  },
  {
    name: 'expiry',
    says: 'a hold that has run out cannot be paid',
    breaks: ['in-time'],
    modes: ['cluster', 'embedded'],
    edits: () => [
      { file: 'reservations/settle.js', from: "if (status === 'EXPIRED')", to: 'if (false)' },
      {
        file: 'reservations/settle.js',
        from: "if (status !== 'HELD')",
        to: "if (reservation.status !== 'HELD')",
      },
      {
        file: 'reservations/queries.js',
        from: "AND status = 'HELD' AND expires_at > $2`",
        to: "AND status = 'HELD' AND CAST($2 AS BIGINT) > 0`",
      },
      {
        file: 'reservations/queries.js',
        from: 'AND reservation_id = $2 AND held_until > $3`',
        to: 'AND reservation_id = $2 AND CAST($3 AS BIGINT) > 0`',
      },
    ],
  },
  {
    name: 'durable-answer',
    says: 'nothing is answered before it is on the disk',
    breaks: ['nothing-lost'],
    modes: ['embedded', 'cluster'],
    edits: (mode) =>
      mode === 'embedded'
        ? [
            // Answered at once, and committed a little later.
            {
              file: 'platform/sql/sqlite.js',
              from: `            if (this.#isOpen())
                this.#writer.run(COMMIT, []);`,
              to: `            clearImmediate(turned);
            for (const { tx, job } of outcomes.done.splice(0)) {
                tx.committed();
                job.succeed();
            }
            await new Promise((resolve) => setTimeout(resolve, 100));
            if (this.#isOpen())
                this.#writer.run(COMMIT, []);`,
            },
          ]
        : [
            {
              file: 'platform/sql/postgres-connection.js',
              from: 'statement_timeout: STATEMENT_MAX_MS,',
              to: "synchronous_commit: 'off', statement_timeout: STATEMENT_MAX_MS,",
            },
          ],
    faults: (mode) => (mode === 'embedded' ? ['kill'] : ['db-crash']),
  },
];
