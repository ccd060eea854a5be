import { recordAudit } from '../../audit/index.js';
import type { HashClient } from '../../kernel/hash-client.js';
import { Refusal } from '../../kernel/refusal.js';
import type { Sql, Tx } from '../../platform/sql/index.js';
import { setPassword } from '../credentials.js';
import { grantOperator } from '../operators/queries.js';
import type { Passwords } from '../passwords.js';
import type { Revocations } from '../revocations.js';
import { hashToken } from './mailed-tokens.js';
import { endTokens, findPasswordToken, markEmailVerified, usePasswordToken } from './queries.js';

export interface PasswordReset extends HashClient {
  readonly token: string;
  readonly newPassword: string;
}

interface Deps {
  readonly sql: Sql;
  readonly passwords: Passwords;
  readonly revocations: Pick<Revocations, 'requireCapacity'>;
}

/**
 * Sets the password of the account that the link was mailed to, and signs it out everywhere. Returns its id. The link of an invitation also
 * makes the account an operator: whoever signed up with the address before has no session and no password any more.
 */
export const createResetPassword =
  ({ sql, passwords, revocations }: Deps) =>
  async ({ token, newPassword, client, signal }: PasswordReset): Promise<string> => {
    revocations.requireCapacity();
    const hash = hashToken(token);
    // A guess is refused before the expensive password hash. The statement in the transaction decides.
    if (!(await sql.reader.get(findPasswordToken, [hash, sql.nowMs()])))
      throw new Refusal('RESET_TOKEN_INVALID');
    const passwordHash = await passwords.hash(newPassword, { client, signal });
    return sql.transaction(async (tx) => {
      const used = await tx.get(usePasswordToken, [hash, tx.nowMs]);
      if (!used) throw new Refusal('RESET_TOKEN_INVALID');
      await setPassword(tx, used.userId, passwordHash);
      await tx.exec(markEmailVerified, [used.userId, tx.nowMs]);
      await tx.exec(endTokens, [used.userId, 'PASSWORD_RESET', tx.nowMs]);
      if (used.purpose === 'OPERATOR_INVITATION') await becomeOperator(tx, used.userId);
      return used.userId;
    });
  };

async function becomeOperator(tx: Tx, userId: string): Promise<void> {
  const added = await tx.get(grantOperator, [userId]);
  if (!added) return;
  const details = { operatorId: userId, email: added.email };
  await recordAudit(tx, { actorId: userId, action: 'OPERATOR_ADDED', details });
}
