import { assertDefined } from '../kernel/assert.js';
import { guard } from '../kernel/guard.js';
import { newId } from '../kernel/id.js';
import { BALANCE_MAX } from '../kernel/money.js';
import { Refusal } from '../kernel/refusal.js';
import type { Tx } from '../platform/sql/index.js';
import {
  changeWallets,
  type EntryRow,
  type EntryType,
  insertEntries,
  insertWallet,
  lockWallets,
  type WalletRow,
} from './queries.js';

export interface NewEntry extends EntryRow {
  readonly userId: string;
}

/** Wallets that are locked until the transaction ends, by user. */
export type LockedWallets = ReadonlyMap<string, WalletRow>;

/**
 * The ledger: every change of a balance is an entry, and the balance is the sum of the entries.
 *
 * A change has three steps, for any number of users: lock their wallets, decide each entry, write all entries. One user
 * has at most one entry in a write. The statement that changes a wallet checks what the entry assumes.
 */
export const ledger = {
  async open(tx: Tx, userId: string): Promise<void> {
    await tx.exec(insertWallet, [userId]);
  },

  async lock(tx: Tx, userIds: readonly string[]): Promise<LockedWallets> {
    const wallets = await tx.all(lockWallets, [userIds]);
    return new Map(wallets.map((wallet) => [wallet.userId, wallet]));
  },

  charge(wallet: WalletRow | undefined, amount: number, nowMs: number): NewEntry {
    if (amount <= 0) throw new Refusal('INVALID_AMOUNT');
    if (!wallet || !guard('charge-open-wallet', wallet.closedAtMs === null))
      throw new Refusal('USER_NOT_FOUND');
    return credit(wallet, 'CHARGE', amount, null, nowMs);
  },

  debit(wallet: WalletRow | undefined, amount: number, reference: string, nowMs: number): NewEntry {
    if (!wallet) throw new Refusal('USER_NOT_FOUND');
    const { balance } = wallet;
    if (!guard('wallet-balance', balance >= amount))
      throw new Refusal('NOT_ENOUGH_BALANCE', { balance, amount });
    return nextEntry(wallet, 'PAYMENT', -amount, reference, nowMs);
  },

  /** Also to the wallet of an erased account: the books must show it. */
  refund(wallet: WalletRow | undefined, amount: number, reference: string, nowMs: number): NewEntry {
    return credit(
      assertDefined(wallet, 'a payment was made from a wallet'),
      'REFUND',
      amount,
      reference,
      nowMs,
    );
  },

  forfeit: (wallet: WalletRow, nowMs: number): NewEntry =>
    nextEntry(wallet, 'FORFEIT', -wallet.balance, null, nowMs),

  write(tx: Tx, entries: readonly NewEntry[]): void {
    tx.writeBatch(
      changeWallets,
      entries.map(({ userId, position, amount }) => ({ user_id: userId, position, amount })),
    );
    tx.writeBatch(
      insertEntries,
      entries.map(({ userId, position, id, type, amount, balanceAfter, reference, createdAtMs }) => ({
        user_id: userId,
        position,
        id,
        type,
        amount,
        balance_after: balanceAfter,
        reference,
        created_at: createdAtMs,
      })),
    );
  },
};

function credit(
  wallet: WalletRow,
  type: EntryType,
  amount: number,
  reference: string | null,
  nowMs: number,
): NewEntry {
  if (wallet.balance + amount > BALANCE_MAX)
    throw new Refusal('BALANCE_LIMIT_EXCEEDED', { limit: BALANCE_MAX });
  return nextEntry(wallet, type, amount, reference, nowMs);
}

const nextEntry = (
  { userId, balance, entryCount }: WalletRow,
  type: EntryType,
  amount: number,
  reference: string | null,
  nowMs: number,
): NewEntry => ({
  userId,
  position: entryCount + 1,
  id: newId(),
  type,
  amount,
  balanceAfter: balance + amount,
  reference,
  createdAtMs: nowMs,
});
