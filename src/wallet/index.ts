/**
 * Wallets hold points in one currency. Every change of a balance is one guarded UPDATE followed by its entry in the same
 * transaction, so that the entries of a wallet always add up to its balance.
 *
 * A balance never goes below zero or above `BALANCE_MAX`. Entries are only appended, never changed or deleted.
 */
export { closeWallet } from './close-wallet.js';
export { ledger } from './ledger.js';
export { findBalance, listEntries } from './queries.js';
export { toEntry, walletRoutes } from './routes.js';
