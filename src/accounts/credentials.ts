/** Changes of an account's credentials. Each revokes every token of the account that was issued before. */
import type { AccessCaller } from '../kernel/caller.js';
import { denied, Refusal } from '../kernel/refusal.js';
import type { Sql, Statement, Tx } from '../platform/sql/index.js';
import type { Passwords } from './passwords.js';
import {
  type CredentialChange,
  findPasswordHash,
  raiseCredentialVersion,
  updateOwnPassword,
  updatePassword,
} from './queries.js';
import { credentialsChanged, type Revocations } from './revocations.js';

export interface PasswordChange {
  readonly currentPassword: string;
  readonly newPassword: string;
  /** The client's address, for its turn to hash. */
  readonly client?: string;
}

/** False if no row was changed. */
async function change<P extends readonly (string | number)[]>(
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
  if (!(await change(tx, raiseCredentialVersion, [userId, tx.nowMs]))) throw new Refusal('USER_NOT_FOUND');
}

/** Sets a password without asking for the current one, and signs the user out everywhere. */
export async function setPassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  if (!(await change(tx, updatePassword, [userId, tx.nowMs, passwordHash])))
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
  async (
    { userId, credentialVersion }: AccessCaller,
    { currentPassword, newPassword, client }: PasswordChange,
  ): Promise<void> => {
    revocations.requireCapacity();
    const stored = await sql.reader.get(findPasswordHash, [userId]);
    if (!stored) throw new Refusal('USER_NOT_FOUND');
    const { isCorrect } = await passwords.verify(currentPassword, stored.passwordHash ?? undefined, client);
    if (!isCorrect) throw new Refusal('WRONG_CREDENTIALS');
    const passwordHash = await passwords.hash(newPassword, client);
    await sql.transaction(async (tx) => {
      // Of two concurrent changes, the second one finds its session revoked.
      if (!(await change(tx, updateOwnPassword, [userId, tx.nowMs, passwordHash, credentialVersion])))
        throw denied('INVALID');
    });
  };
