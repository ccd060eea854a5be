import { Refusal } from '../kernel/refusal.js';
import type { Tx } from '../platform/sql/index.js';
import { ledger } from './ledger.js';
import { closeEmptyWallet } from './queries.js';

/**
 * Closes a wallet for good: nothing can be charged any more, but a payment can still be refunded to it. A balance is given
 * up with an entry if `forfeit` says so; otherwise a wallet with money is refused. Returns the amount given up.
 */
export async function closeWallet(
  tx: Tx,
  userId: string,
  { forfeit, currency }: { readonly forfeit: boolean; readonly currency: string },
): Promise<number> {
  const wallet = (await ledger.lock(tx, [userId])).get(userId);
  const balance = wallet?.balance ?? 0;
  const forfeited = forfeit ? balance : 0;
  if (wallet && forfeited > 0) ledger.write(tx, [ledger.forfeit(wallet, tx.nowMs)]);
  if ((await tx.exec(closeEmptyWallet, [userId, tx.nowMs])) === 0)
    throw new Refusal('BALANCE_NOT_ZERO', { balance, currency });
  return forfeited;
}
