import { assert } from '../kernel/assert.js';
import { newId } from '../kernel/id.js';
import { BALANCE_MAX } from '../kernel/money.js';
import { Refusal } from '../kernel/refusal.js';
import { settleAll } from '../kernel/settle-all.js';
import type { Tx } from '../platform/sql/index.js';
import {
  creditOpenWallet,
  creditWallet,
  debitWallet,
  type EntryRow,
  type EntryType,
  findBalance,
  insertEntry,
  insertWallet,
  type UpdatedWalletRow,
} from './queries.js';

/** Each change of a balance appends its entry, or is refused and changes nothing. */
export const ledger = {
  async open(tx: Tx, userId: string): Promise<void> {
    await tx.exec(insertWallet, [userId]);
  },

  async charge(tx: Tx, userId: string, amount: number): Promise<EntryRow> {
    if (amount <= 0) throw new Refusal('INVALID_AMOUNT');
    const params = [userId, amount, BALANCE_MAX] as const;
    return credit(tx, userId, tx.get(creditOpenWallet, [...params]), 'CHARGE', amount, null);
  },

  async debit(tx: Tx, userId: string, amount: number, reference: string): Promise<EntryRow> {
    const debited = tx.get(debitWallet, [userId, amount]);
    const entry = await appendEntry(tx, userId, debited, 'PAYMENT', -amount, reference);
    if (entry) return entry;
    const wallet = await tx.get(findBalance, [userId]);
    if (!wallet) throw new Refusal('USER_NOT_FOUND');
    throw new Refusal('NOT_ENOUGH_BALANCE', { balance: wallet.balance, amount });
  },

  /** Also to the wallet of an erased account: the books must show it. */
  refund: (tx: Tx, userId: string, amount: number, reference: string): Promise<EntryRow> =>
    credit(tx, userId, tx.get(creditWallet, [userId, amount, BALANCE_MAX]), 'REFUND', amount, reference),

  /** The wallet is locked and has exactly this balance. */
  async forfeit(tx: Tx, userId: string, balance: number): Promise<void> {
    const debited = tx.get(debitWallet, [userId, balance]);
    const entry = await appendEntry(tx, userId, debited, 'FORFEIT', -balance, null);
    assert(entry?.balanceAfter === 0, 'a forfeited balance is not zero');
  },
};

async function credit(
  tx: Tx,
  userId: string,
  credited: Promise<UpdatedWalletRow | undefined>,
  type: EntryType,
  amount: number,
  reference: string | null,
): Promise<EntryRow> {
  const entry = await appendEntry(tx, userId, credited, type, amount, reference);
  if (entry) return entry;
  const wallet = await tx.get(findBalance, [userId]);
  throw wallet && (wallet.closedAtMs === null || type === 'REFUND')
    ? new Refusal('BALANCE_LIMIT_EXCEEDED', { limit: BALANCE_MAX })
    : new Refusal('USER_NOT_FOUND');
}

/** Pipelined behind the UPDATE without waiting for its result. Undefined if that changed nothing. */
async function appendEntry(
  tx: Tx,
  userId: string,
  update: Promise<UpdatedWalletRow | undefined>,
  type: EntryType,
  amount: number,
  reference: string | null,
): Promise<EntryRow | undefined> {
  const id = newId();
  const [wallet, insertedCount] = await settleAll([
    update,
    tx.exec(insertEntry, [userId, id, type, amount, reference, tx.nowMs]),
  ]);
  assert(insertedCount === (wallet ? 1 : 0), 'a balance changed without its entry');
  if (!wallet) return undefined;
  const { position, balance } = wallet;
  return { position, id, type, amount, balanceAfter: balance, reference, createdAtMs: tx.nowMs };
}
