import { guard } from '../kernel/guard.js';
import { statement } from '../platform/sql/index.js';

/** FORFEIT: the owner gave the balance up when the account was erased. */
export type EntryType = 'CHARGE' | 'PAYMENT' | 'REFUND' | 'FORFEIT';

export interface EntryRow {
  position: number;
  id: string;
  type: EntryType;
  amount: number;
  balanceAfter: number;
  reference: string | null;
  createdAtMs: number;
}

export interface UpdatedWalletRow {
  balance: number;
  position: number;
}

export const insertWallet = statement<[userId: string]>(
  'insert_wallet',
  `INSERT INTO wallets (user_id, balance, entry_count) VALUES ($1, 0, 0)`,
);

export const findBalance = statement<[userId: string], { balance: number; closedAtMs: number | null }>(
  'find_balance',
  `SELECT balance, closed_at AS "closedAtMs" FROM wallets WHERE user_id = $1`,
);

export const lockWallet = statement<[userId: string], { balance: number }>(
  'lock_wallet',
  (dialect) => `SELECT balance FROM wallets WHERE user_id = $1${dialect.forUpdate}`,
);

export const closeEmptyWallet = statement<[userId: string, nowMs: number]>(
  'close_empty_wallet',
  () =>
    `UPDATE wallets SET closed_at = $2 WHERE user_id = $1 AND ${guard('close-empty-wallet', 'balance = 0')}`,
);

/** Check and update are one statement: two concurrent changes never see the same old balance. */
export const creditWallet = statement<[userId: string, amount: number, balanceMax: number], UpdatedWalletRow>(
  'credit_wallet',
  `UPDATE wallets SET balance = balance + $2, entry_count = entry_count + 1
   WHERE user_id = $1 AND balance + $2 <= $3 RETURNING balance, entry_count AS position`,
);

/** Like `creditWallet`, but not for the wallet of an erased account. */
export const creditOpenWallet = statement<
  [userId: string, amount: number, balanceMax: number],
  UpdatedWalletRow
>(
  'credit_open_wallet',
  () => `UPDATE wallets SET balance = balance + $2, entry_count = entry_count + 1
   WHERE user_id = $1 AND balance + $2 <= $3 AND ${guard('charge-open-wallet', 'closed_at IS NULL')}
   RETURNING balance, entry_count AS position`,
);

export const debitWallet = statement<[userId: string, amount: number], UpdatedWalletRow>(
  'debit_wallet',
  () => `UPDATE wallets SET balance = balance - $2, entry_count = entry_count + 1
   WHERE user_id = $1 AND ${guard('wallet-balance', 'balance >= $2')} RETURNING balance, entry_count AS position`,
);

/** Appends the entry of the preceding UPDATE. Inserts nothing if that UPDATE changed nothing. */
export const insertEntry = statement<
  [userId: string, id: string, type: EntryType, amount: number, reference: string | null, nowMs: number]
>(
  'insert_entry',
  () => `INSERT INTO wallet_entries (user_id, position, id, type, amount, balance_after, reference, created_at)
   SELECT w.user_id, w.entry_count, CAST($2 AS TEXT), CAST($3 AS TEXT), ${guard('entry-amount', 'CAST($4 AS BIGINT)')}, w.balance,
     CAST($5 AS TEXT), CAST($6 AS BIGINT)
   FROM wallets w WHERE w.user_id = $1 AND NOT EXISTS (
     SELECT 1 FROM wallet_entries e WHERE e.user_id = w.user_id AND e.position = w.entry_count)
     AND w.entry_count > 0`,
);

export const listEntries = statement<[userId: string, beforePosition: number, limit: number], EntryRow>(
  'list_entries',
  `SELECT position, id, type, amount, balance_after AS "balanceAfter", reference, created_at AS "createdAtMs"
   FROM wallet_entries WHERE user_id = $1 AND position < $2 ORDER BY position DESC LIMIT $3`,
);
