import { statement } from '../platform/sql/index.js';

export type EntryType = 'CHARGE' | 'PAYMENT' | 'REFUND';

export interface EntryRow {
  position: number;
  id: string;
  type: EntryType;
  amount: number;
  balanceAfter: number;
  reference: string | null;
  createdAtMs: number;
}

export interface MovedRow {
  balance: number;
  position: number;
}

export const insertWallet = statement<[userId: string]>(
  'insert_wallet',
  `INSERT INTO wallets (user_id, balance, entry_count) VALUES ($1, 0, 0)`,
);

export const findBalance = statement<[userId: string], { balance: number }>(
  'find_balance',
  `SELECT balance FROM wallets WHERE user_id = $1`,
);

/** The guard and the change are one statement: two at once can never both see the old balance. */
export const creditWallet = statement<[userId: string, amount: number, balanceMax: number], MovedRow>(
  'credit_wallet',
  `UPDATE wallets SET balance = balance + $2, entry_count = entry_count + 1
   WHERE user_id = $1 AND balance + $2 <= $3 RETURNING balance, entry_count AS position`,
);

export const debitWallet = statement<[userId: string, amount: number], MovedRow>(
  'debit_wallet',
  `UPDATE wallets SET balance = balance - $2, entry_count = entry_count + 1
   WHERE user_id = $1 AND balance >= $2 RETURNING balance, entry_count AS position`,
);

export const insertEntry = statement<
  [
    userId: string,
    position: number,
    id: string,
    type: EntryType,
    amount: number,
    balanceAfter: number,
    reference: string | null,
    nowMs: number,
  ]
>(
  'insert_entry',
  `INSERT INTO wallet_entries (user_id, position, id, type, amount, balance_after, reference, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

export const listEntries = statement<[userId: string, beforePosition: number, limit: number], EntryRow>(
  'list_entries',
  `SELECT position, id, type, amount, balance_after AS "balanceAfter", reference, created_at AS "createdAtMs"
   FROM wallet_entries WHERE user_id = $1 AND position < $2 ORDER BY position DESC LIMIT $3`,
);
