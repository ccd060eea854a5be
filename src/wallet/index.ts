export { ledger } from './ledger.js';
export { type WalletRouteDeps, walletRoutes } from './routes.js';
