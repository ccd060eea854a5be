/**
 * Wallets hold points in one currency. Every change of a balance is one guarded UPDATE followed by its entry in the same
 * transaction, so that the entries of a wallet always add up to its balance.
 *
 * A balance never goes below zero or above `BALANCE_MAX`. Entries are only appended, never changed or deleted.
 */
export { ledger } from './ledger.js';
export { walletRoutes } from './routes.js';
