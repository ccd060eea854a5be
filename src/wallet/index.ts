/**
 * Wallets hold points in one currency. Every change of a balance is an entry of the ledger: the wallet is locked, the entry
 * decided, and both are written in one transaction, so that the entries of a wallet always add up to its balance.
 *
 * A balance never goes below zero or above `BALANCE_MAX`. Entries are only appended, never changed or deleted.
 */
export { chargeWallet } from './charge-wallet.js';
export { closeWallet } from './close-wallet.js';
export { toEntry } from './entry.js';
export { ledger, type LockedWallets, type NewEntry } from './ledger.js';
export { findBalance, listEntries } from './queries.js';
export { walletRoutes } from './routes.js';
