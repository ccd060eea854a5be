import { assert } from '../kernel/assert.js';
import { newId } from '../kernel/id.js';
import { BALANCE_MAX } from '../kernel/money.js';
import { Refusal } from '../kernel/refusal.js';
import { settleAll } from '../kernel/settle-all.js';
import type { Tx } from '../platform/sql/index.js';
import {
  creditWallet,
  debitWallet,
  type EntryRow,
  type EntryType,
  findBalance,
  insertEntry,
  insertWallet,
  type MovedRow,
} from './queries.js';

/** Money only moves together with the entry that says so. */
export interface Ledger {
  open(tx: Tx, userId: string): Promise<void>;
  charge(tx: Tx, userId: string, amount: number): Promise<EntryRow>;
  /** Takes the amount or refuses with the balance; never part of it. */
  debit(tx: Tx, userId: string, amount: number, reference: string): Promise<EntryRow>;
  /** Gives a payment's amount back, unless the wallet cannot hold it. */
  refund(tx: Tx, userId: string, amount: number, reference: string): Promise<EntryRow>;
}

export const ledger: Ledger = {
  async open(tx, userId) {
    await tx.exec(insertWallet, [userId]);
  },

  async charge(tx, userId, amount) {
    if (amount <= 0) throw new Refusal('INVALID_AMOUNT');
    return credit(tx, userId, 'CHARGE', amount, null);
  },

  async debit(tx, userId, amount, reference) {
    const debit = tx.get(debitWallet, [userId, amount]);
    const entry = await writeEntry(tx, userId, debit, 'PAYMENT', -amount, reference);
    if (entry) return entry;
    const wallet = await tx.get(findBalance, [userId]);
    if (!wallet) throw new Refusal('USER_NOT_FOUND');
    throw new Refusal('NOT_ENOUGH_BALANCE', { balance: wallet.balance, amount });
  },

  refund: (tx, userId, amount, reference) => credit(tx, userId, 'REFUND', amount, reference),
};

/** Adds the amount or refuses; never part of it. */
async function credit(
  tx: Tx,
  userId: string,
  type: EntryType,
  amount: number,
  reference: string | null,
): Promise<EntryRow> {
  const moving = tx.get(creditWallet, [userId, amount, BALANCE_MAX]);
  const entry = await writeEntry(tx, userId, moving, type, amount, reference);
  if (entry) return entry;
  const wallet = await tx.get(findBalance, [userId]);
  throw wallet
    ? new Refusal('BALANCE_LIMIT_EXCEEDED', { limit: BALANCE_MAX })
    : new Refusal('USER_NOT_FOUND');
}

/** Sent right behind the movement, without waiting for it. Undefined when nothing moved. */
async function writeEntry(
  tx: Tx,
  userId: string,
  moving: Promise<MovedRow | undefined>,
  type: EntryType,
  amount: number,
  reference: string | null,
): Promise<EntryRow | undefined> {
  const id = newId();
  const [moved, written] = await settleAll([
    moving,
    tx.exec(insertEntry, [userId, id, type, amount, reference, tx.nowMs]),
  ]);
  assert(written === (moved ? 1 : 0), 'money moved without its entry');
  if (!moved) return undefined;
  const { position, balance } = moved;
  return { position, id, type, amount, balanceAfter: balance, reference, createdAtMs: tx.nowMs };
}
