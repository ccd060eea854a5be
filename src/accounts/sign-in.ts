import { recordAudit, recordFailedSignIn } from '../audit/index.js';
import { emailKeyOf } from '../kernel/credentials.js';
import type { HashClient } from '../kernel/hash-client.js';
import { Refusal } from '../kernel/refusal.js';
import type { Sql } from '../platform/sql/index.js';
import type { AccessTokens } from './access-tokens.js';
import type { Passwords } from './passwords.js';
import { findUserToSignIn, replacePasswordHash, toUser } from './queries.js';
import { openSession, type Session } from './session.js';

/** The client's address is also recorded in the audit log. */
export interface Credentials extends HashClient {
  readonly email: string;
  readonly password: string;
}

interface Deps {
  readonly sql: Sql;
  readonly passwords: Passwords;
  readonly accessTokens: AccessTokens;
}

export const createSignIn =
  ({ sql, passwords, accessTokens }: Deps) =>
  async ({ email, password, client, signal }: Credentials): Promise<Session> => {
    const emailKey = emailKeyOf(email);
    const found = await sql.reader.get(findUserToSignIn, [emailKey]);
    // Also verified for an unknown address: the response time must not reveal who has an account.
    const storedHash = found?.passwordHash ?? undefined;
    const { isCorrect, strongerHash } = await passwords.verify(password, storedHash, { client, signal });
    const details = { client };
    if (!found || !isCorrect) {
      await sql.transaction((tx) => recordFailedSignIn(tx, { emailKey, details }));
      throw new Refusal('WRONG_CREDENTIALS');
    }
    const { id, role, credentialVersion } = found;
    if (role === 'OPERATOR')
      await sql.transaction((tx) => recordAudit(tx, { actorId: id, action: 'OPERATOR_SIGNED_IN', details }));
    if (storedHash !== undefined && strongerHash !== undefined)
      await sql.transaction((tx) => tx.exec(replacePasswordHash, [id, storedHash, strongerHash]));
    // The version from before the verification: if the password was changed meanwhile, this session is revoked already.
    return openSession(accessTokens, toUser(found), credentialVersion, sql.nowMs());
  };
