import { api, Problem, type Wallet } from '../../api/index.js';

/** A wallet and the token that gave access to it. */
export interface WalletWithToken extends Wallet {
  readonly token: string;
}

/** Whether access was denied because the server requires a place in a queue. */
export const isWalletDenied = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'ACCESS_DENIED';

/**
 * Loads the wallet with the first token that is accepted: the access token, unless the server is configured to open wallets
 * only to fans with a place in a queue.
 */
export async function loadWallet(
  [token, next, ...others]: readonly [string, ...string[]],
  signal: AbortSignal,
): Promise<WalletWithToken> {
  try {
    return { ...(await api.get('/wallet', { token, signal, keepsSession: true })), token };
  } catch (error) {
    if (next === undefined || !isWalletDenied(error)) throw error;
    return loadWallet([next, ...others], signal);
  }
}
