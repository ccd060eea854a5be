import { guard } from '../kernel/guard.js';
import { batchStatement, statement } from '../platform/sql/index.js';

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

/** A wallet as its owner's next change finds it. */
export interface WalletRow {
  readonly userId: string;
  readonly balance: number;
  readonly entryCount: number;
  /** When the account was erased. */
  readonly closedAtMs: number | null;
}

export const insertWallet = statement<[userId: string]>(
  'insert_wallet',
  `INSERT INTO wallets (user_id, balance, entry_count) VALUES ($1, 0, 0)`,
);

export const findBalance = statement<[userId: string], { balance: number }>(
  'find_balance',
  `SELECT balance FROM wallets WHERE user_id = $1`,
);

export const lockWallets = statement<[userIds: readonly string[]], WalletRow>(
  'lock_wallets',
  (dialect) => `SELECT user_id AS "userId", balance, entry_count AS "entryCount", closed_at AS "closedAtMs"
   FROM wallets WHERE user_id ${dialect.anyOf('$1')}${guard('wallet-lock', dialect.lockInOrderOf('user_id'))}`,
);

export const closeEmptyWallet = statement<[userId: string, nowMs: number]>(
  'close_empty_wallet',
  () =>
    `UPDATE wallets SET closed_at = $2 WHERE user_id = $1 AND ${guard('close-empty-wallet', 'balance = 0')}`,
);

/** Applies an entry to its wallet, only if the wallet is as the entry expects it and the balance is not negative afterwards. */
export const changeWallets = batchStatement(
  'change_wallets',
  { user_id: 'text', position: 'bigint', amount: 'bigint' },
  ({
    row,
    from,
  }) => `UPDATE wallets SET balance = wallets.balance + ${row.amount}, entry_count = wallets.entry_count + 1${from}
   WHERE wallets.user_id = ${row.user_id} AND ${guard(
     'wallet-unchanged',
     `wallets.entry_count = ${row.position} - 1 AND wallets.balance + ${row.amount} >= 0`,
   )}`,
);

export const insertEntries = batchStatement(
  'insert_entries',
  {
    user_id: 'text',
    position: 'bigint',
    id: 'text',
    type: 'text',
    amount: 'bigint',
    balance_after: 'bigint',
    reference: 'text',
    created_at: 'bigint',
  },
  ({
    row,
    from,
  }) => `INSERT INTO wallet_entries (user_id, position, id, type, amount, balance_after, reference, created_at)
   SELECT ${row.user_id}, ${row.position}, ${row.id}, ${row.type}, ${guard('entry-amount', row.amount)},
     ${row.balance_after}, ${row.reference}, ${row.created_at}${from}`,
);

export const listEntries = statement<[userId: string, beforePosition: number, limit: number], EntryRow>(
  'list_entries',
  `SELECT position, id, type, amount, balance_after AS "balanceAfter", reference, created_at AS "createdAtMs"
   FROM wallet_entries WHERE user_id = $1 AND position < $2 ORDER BY position DESC LIMIT $3`,
);
