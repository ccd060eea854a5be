import { emailKeyOf } from '../kernel/credentials.js';
import { Refusal } from '../kernel/refusal.js';
import type { Sql } from '../platform/sql/index.js';
import type { AccessTokens } from './access-tokens.js';
import type { Passwords } from './passwords.js';
import { findUserToSignIn } from './queries.js';
import { openSession, type Session } from './session.js';

export interface Credentials {
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
  async ({ email, password }: Credentials): Promise<Session> => {
    const found = await sql.reader.get(findUserToSignIn, [emailKeyOf(email)]);
    // Also verified for an unknown address: the response time must not reveal who has an account.
    const isCorrect = await passwords.verify(password, found?.passwordHash);
    if (!found || !isCorrect) throw new Refusal('WRONG_CREDENTIALS');
    const { id, name, role } = found;
    return openSession(accessTokens, { id, email: found.email, name, role }, sql.nowMs());
  };
