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
  /** Whose access token this is; undefined when it is no valid one at that time. */
  identifyAccess(token: string, nowMs: number): { readonly userId: string } | undefined;
  /** Within a transaction, by its own reader. */
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
