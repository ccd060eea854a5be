/** Changes of an account's credentials. Each revokes every token of the account that was issued before. */
import type { AccessCaller } from '../kernel/caller.js';
import type { HashClient } from '../kernel/hash-client.js';
import { denied, Refusal } from '../kernel/refusal.js';
import type { Sql, Statement, Tx } from '../platform/sql/index.js';
import type { NewPassword, Passwords } from './passwords.js';
import {
  type CredentialChange,
  findPasswordHash,
  raiseCredentialVersion,
  updateOwnPassword,
  updatePassword,
} from './queries.js';
import { credentialsChanged, type Revocations } from './revocations.js';

export type PasswordChange = NewPassword & HashClient;

/** False if no row was changed. */
async function changeCredentials<P extends readonly (string | number)[]>(
  tx: Tx,
  command: Statement<P, CredentialChange>,
  params: P,
): Promise<boolean> {
  const changed = await tx.get(command, params);
  if (changed) tx.publish(credentialsChanged, changed);
  return changed !== undefined;
}

/** Signs the user out everywhere. */
export async function revokeSessions(tx: Tx, userId: string): Promise<void> {
  if (!(await changeCredentials(tx, raiseCredentialVersion, [userId, tx.nowMs])))
    throw new Refusal('USER_NOT_FOUND');
}

/** Sets a password without asking for the current one, and signs the user out everywhere. */
export async function setPassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  if (!(await changeCredentials(tx, updatePassword, [userId, tx.nowMs, passwordHash])))
    throw new Refusal('USER_NOT_FOUND');
}

export const createChangePassword =
  ({
    sql,
    passwords,
    revocations,
  }: {
    readonly sql: Sql;
    readonly passwords: Passwords;
    readonly revocations: Pick<Revocations, 'requireCapacity'>;
  }) =>
  async ({ userId, credentialVersion }: AccessCaller, change: PasswordChange): Promise<void> => {
    revocations.requireCapacity();
    const stored = await sql.reader.get(findPasswordHash, [userId]);
    if (!stored) throw new Refusal('USER_NOT_FOUND');
    const passwordHash = await passwords.replace(change, stored.passwordHash ?? undefined, change);
    if (passwordHash === undefined) throw new Refusal('WRONG_CREDENTIALS');
    await sql.transaction(async (tx) => {
      // Of two concurrent changes, the second one finds its session revoked.
      if (
        !(await changeCredentials(tx, updateOwnPassword, [userId, tx.nowMs, passwordHash, credentialVersion]))
      )
        throw denied('INVALID');
    });
  };
