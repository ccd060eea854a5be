import type { AccessCaller } from '../kernel/caller.js';
import type { HashClient } from '../kernel/hash-client.js';
import { denied, Refusal } from '../kernel/refusal.js';
import type { Sql, Tx } from '../platform/sql/index.js';
import { deleteTokensOf } from './mailed-links/queries.js';
import type { Passwords } from './passwords.js';
import { eraseUserRow, findPasswordHash, findUser, type User } from './queries.js';
import { credentialsChanged, type Revocations } from './revocations.js';

/** Refuses a wrong password and operators: their actions stay attributed to them. Returns the e-mail address. */
export const createRequireErasable =
  (deps: {
    readonly sql: Sql;
    readonly passwords: Passwords;
    readonly requireUser: (userId: string) => Promise<User>;
    readonly revocations: Pick<Revocations, 'requireCapacity'>;
  }) =>
  async (userId: string, password: string, client: HashClient): Promise<string> => {
    deps.revocations.requireCapacity();
    const { email, role } = await deps.requireUser(userId);
    const stored = await deps.sql.reader.get(findPasswordHash, [userId]);
    const { isCorrect } = await deps.passwords.verify(password, stored?.passwordHash ?? undefined, client);
    if (!isCorrect) throw new Refusal('WRONG_CREDENTIALS');
    if (role === 'OPERATOR') throw new Refusal('OPERATOR_NOT_ERASABLE');
    return email;
  };

/**
 * Replaces the person by a pseudonym and revokes every token and every mailed link. Of concurrent erasures, and of an erasure and a change of the
 * password, the second one finds the account erased or its session revoked.
 */
export async function eraseUser(tx: Tx, { userId, credentialVersion }: AccessCaller): Promise<void> {
  const erased = await tx.get(eraseUserRow, [userId, tx.nowMs, credentialVersion]);
  if (!erased) throw (await tx.get(findUser, [userId])) ? denied('INVALID') : new Refusal('USER_NOT_FOUND');
  await tx.exec(deleteTokensOf, [userId]);
  tx.publish(credentialsChanged, erased);
}
