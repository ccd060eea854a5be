/**
 * The accounts module: sign-up, sign-in, access tokens and the OPERATOR role.
 *
 * - An account and its wallet (`onSignUp`) are created in one transaction. The unique key on the e-mail address decides
 *   between concurrent sign-ups.
 * - Access tokens are signed and expire after 12 hours; they are not stored. They name a user and no role: the role is read
 *   from the database at every operator call, so a revoked role takes effect immediately.
 * - Passwords are stored only as salted scrypt hashes. Neither the response nor the response time of a failed sign-in
 *   reveals whether the account exists.
 */
import type { Caller } from '../kernel/caller.js';
import type { Jwt } from '../platform/jwt/index.js';
import type { Reader, Sql } from '../platform/sql/index.js';
import type { Identify, Routes } from '../platform/web/index.js';
import { createAccessTokens } from './access-tokens.js';
import { createEnsureOperator, type OperatorAccount } from './ensure-operator.js';
import { createPasswords } from './passwords.js';
import type { User } from './queries.js';
import { createRequireOperator, createRequireUser } from './require-user.js';
import { accountRoutes, type AccountsLimit } from './routes.js';
import type { Session } from './session.js';
import { createSignIn, type Credentials } from './sign-in.js';
import { createSignUp, type NewAccount, type OnSignUp } from './sign-up.js';

export { createPasswords } from './passwords.js';

export interface AccountsDeps {
  readonly sql: Sql;
  readonly jwt: Jwt;
  readonly limit: AccountsLimit;
  readonly onSignUp: OnSignUp;
}

export interface Accounts {
  routes(deps: { readonly identify: Identify }): Routes;
  signUp(account: NewAccount): Promise<Session>;
  signIn(credentials: Credentials): Promise<Session>;
  /** The user of an access token; undefined if the token is not valid at that time. */
  identifyAccess(token: string, nowMs: number): { readonly userId: string } | undefined;
  /** Inside a transaction, pass its `tx` as the reader. */
  requireUser(userId: string, reader?: Reader): Promise<User>;
  requireOperator(caller: Caller): Promise<User>;
  ensureOperator(account: OperatorAccount): Promise<void>;
}

export function createAccounts({ sql, jwt, limit, onSignUp }: AccountsDeps): Accounts {
  const passwords = createPasswords();
  const accessTokens = createAccessTokens(jwt);
  const signUp = createSignUp({ sql, passwords, accessTokens, onSignUp });
  const signIn = createSignIn({ sql, passwords, accessTokens });
  const requireUser = createRequireUser({ sql });
  return {
    routes: ({ identify }) => accountRoutes({ identify, limit, signUp, signIn, requireUser }),
    signUp,
    signIn,
    identifyAccess: (token, nowMs) => accessTokens.identify(token, nowMs),
    requireUser,
    requireOperator: createRequireOperator(requireUser),
    ensureOperator: createEnsureOperator({ sql, passwords, onSignUp }),
  };
}
