import { assertDefined } from '../kernel/assert.js';
import type { BatchedWrite } from '../platform/web/index.js';
import type { Tx } from '../platform/sql/index.js';
import { ledger, type LockedWallets, type NewEntry } from './ledger.js';
import { toEntry } from './entry.js';

export interface Charge {
  readonly userId: string;
  readonly amount: number;
}

export const createChargeWallet = (currency: string): BatchedWrite<Charge, LockedWallets, NewEntry> => ({
  name: 'charge',

  lock: (tx, charges) =>
    ledger.lock(
      tx,
      charges.map(({ userId }) => userId),
    ),

  decide(tx, wallets, { userId, amount }) {
    const entry = ledger.charge(wallets.get(userId), amount, tx.nowMs);
    const body = { balance: entry.balanceAfter, currency, entry: toEntry(entry) };
    return { answer: { status: 201, body }, change: entry };
  },

  write: ledger.write,
});

/** One charge in a transaction of its own, for the command line and the demo. */
export async function chargeWallet(tx: Tx, userId: string, amount: number): Promise<void> {
  const wallets = await ledger.lock(tx, [userId]);
  ledger.write(tx, [
    ledger.charge(assertDefined(wallets.get(userId), 'a user has a wallet'), amount, tx.nowMs),
  ]);
}
