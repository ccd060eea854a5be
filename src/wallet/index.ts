export { ledger } from './ledger.js';
export { walletRoutes } from './routes.js';
