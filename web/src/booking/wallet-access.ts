import { api, Problem, type Wallet } from '../api/index.js';

/** A wallet, and the credential it was opened with. */
export interface OpenWallet extends Wallet {
  readonly token: string;
}

/** Whether the wallet was refused for want of a place in line. */
export const isWalletClosed = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'ACCESS_DENIED';

/**
 * Opens a wallet with the first credential that is let in: the account's own serves, unless the house opens wallets only to
 * those who have a place in line.
 */
export async function openWallet(
  [token, next, ...others]: readonly [string, ...string[]],
  signal: AbortSignal,
): Promise<OpenWallet> {
  try {
    return { ...(await api.get('/wallet', { token, signal, isGated: true })), token };
  } catch (error) {
    if (next === undefined || !isWalletClosed(error)) throw error;
    return openWallet([next, ...others], signal);
  }
}
