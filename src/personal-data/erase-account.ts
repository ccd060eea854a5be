import { recordAudit } from '../audit/index.js';
import type { AccessCaller } from '../kernel/caller.js';
import type { HashClient } from '../kernel/hash-client.js';
import type { Sql, Tx } from '../platform/sql/index.js';
import type { UserQueue } from '../platform/rate-limit/index.js';
import { closeWallet } from '../wallet/index.js';

export interface ErasureRequest extends HashClient {
  readonly password: string;
  /** Gives up the balance. Without it, an account with money is not erased. */
  readonly forfeitBalance?: boolean;
}

export type EraseAccount = (caller: AccessCaller, request: ErasureRequest) => Promise<void>;

type EraseInTx = (tx: Tx, userId: string) => Promise<void>;

export interface EraseDeps {
  readonly sql: Sql;
  readonly currency: string;
  readonly userQueue: UserQueue;
  /** Refuses a wrong password and accounts that cannot be erased. Returns the e-mail address. */
  readonly requireErasable: (userId: string, password: string, client: HashClient) => Promise<string>;
  readonly releaseHolds: (tx: Tx, caller: AccessCaller) => Promise<void>;
  readonly leaveQueues: EraseInTx;
  readonly eraseUser: (tx: Tx, caller: AccessCaller) => Promise<void>;
  readonly eraseStoredResponses: EraseInTx;
  readonly eraseMail: (tx: Tx, email: string) => Promise<void>;
}

export const createEraseAccount =
  (deps: EraseDeps): EraseAccount =>
  async (caller, { password, client, signal, forfeitBalance = false }) => {
    const { userId } = caller;
    const email = await deps.requireErasable(userId, password, { client, signal });
    await deps.userQueue(userId, () => deps.sql.transaction((tx) => erase(tx, deps)));

    /**
     * Locks in the order in which payments lock: reservation, place, wallet, user. A join or a hold may slip in before the
     * user's row is locked, and none after: therefore places and holds are ended once more at the end.
     */
    async function erase(tx: Tx, modules: EraseDeps): Promise<void> {
      await modules.releaseHolds(tx, caller);
      await modules.leaveQueues(tx, userId);
      const forfeited = await closeWallet(tx, userId, {
        forfeit: forfeitBalance,
        currency: modules.currency,
      });
      await modules.eraseUser(tx, caller);
      await modules.leaveQueues(tx, userId);
      await modules.releaseHolds(tx, caller);
      await modules.eraseStoredResponses(tx, userId);
      await modules.eraseMail(tx, email);
      await recordAudit(tx, { actorId: userId, action: 'ACCOUNT_ERASED', details: { forfeited } });
    }
  };
