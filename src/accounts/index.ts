/**
 * The accounts module: sign-up, sign-in, passwords, sessions and the OPERATOR role.
 *
 * - An account and its wallet (`onSignUp`) are created in one transaction. The unique key on the e-mail address decides
 *   between concurrent sign-ups.
 * - Access tokens are signed and expire after 12 hours; they are not stored. They name a user and no role: the role is read
 *   from the database at every operator call, so a revoked role takes effect immediately.
 * - A session ends when its user signs out; all of them end when the password is changed. See revocations.ts.
 * - A mailed link sets a password, accepts an invitation as operator or verifies the address (mailed-links/). The database
 *   stores only a hash of its token.
 * - Operators invite and remove operators (operators/). One always remains.
 * - Passwords are stored only as salted argon2id hashes. Neither the response nor the response time of a failed sign-in
 *   reveals whether the account exists.
 */
import type { AccessCaller, Caller } from '../kernel/caller.js';
import type { HashClient } from '../kernel/hash-client.js';
import { Refusal } from '../kernel/refusal.js';
import type { Enqueue } from '../mail/index.js';
import type { Jwt } from '../platform/jwt/index.js';
import type { Reader, Sql, Tx } from '../platform/sql/index.js';
import type { Identify, Routes } from '../platform/web/index.js';
import { createAccessTokens } from './access-tokens.js';
import { createChangePassword, revokeSessions, setPassword } from './credentials.js';
import { createRequireErasable, eraseUser } from './erase-user.js';
import { createEnsureOperator, type OperatorAccount } from './ensure-operator.js';
import { createIssueLink } from './mailed-links/mailed-tokens.js';
import { purgeMailedTokens } from './mailed-links/purge-tokens.js';
import { createRequestPasswordReset } from './mailed-links/request-password-reset.js';
import { createResetPassword } from './mailed-links/reset-password.js';
import { mailedLinkRoutes, type MailedLinksLimit } from './mailed-links/routes.js';
import { createVerifyEmail } from './mailed-links/verify-email.js';
import { createInviteOperator } from './operators/invite-operator.js';
import { operatorRoutes } from './operators/routes.js';
import { createPasswords } from './passwords.js';
import type { User } from './queries.js';
import { createRequireOperator, createRequireUser } from './require-user.js';
import {
  createRevocations,
  credentialsChanged,
  type FindPlaceOwners,
  type TokenIdentity,
} from './revocations.js';
import { accountRoutes, type AccountsLimit } from './routes.js';
import type { Session } from './session.js';
import { createSignIn, type Credentials } from './sign-in.js';
import { createSignUp, type NewAccount, type OnSignUp } from './sign-up.js';

export { OPERATOR_NAME } from './ensure-operator.js';
export { type AccountRow, findAccount } from './find-account.js';
export { createIssueLink } from './mailed-links/mailed-tokens.js';
export { createAddOperator } from './operators/add-operator.js';
export { createInviteOperator } from './operators/invite-operator.js';
export { createPasswords } from './passwords.js';

export interface AccountsDeps {
  readonly sql: Sql;
  readonly jwt: Jwt;
  /** The cost of new password hashes: the memory of argon2id. */
  readonly passwordMemoryMib: number;
  readonly limit: AccountsLimit & MailedLinksLimit;
  readonly onSignUp: OnSignUp;
  readonly enqueueMail: Enqueue;
  /** Links in mails begin with it. */
  readonly publicUrl: string;
}

export interface Accounts {
  routes(deps: { readonly identify: Identify }): Routes;
  signUp(account: NewAccount): Promise<Session>;
  signIn(credentials: Credentials): Promise<Session>;
  /**
   * The caller of an access token; undefined if the token is not valid at that time or revoked. Refuses with USER_NOT_FOUND if
   * the account was erased.
   */
  identifyAccess(token: string, nowMs: number): Omit<AccessCaller, 'kind'> | undefined;
  /** Whether a token was revoked, as far as this process knows: check it after the request barrier. */
  isRevoked(token: TokenIdentity): boolean;
  /** Whether the account was erased, as far as this process knows: check it after the request barrier. */
  isErased(userId: string): boolean;
  /** Before a transaction, inside which only SQL may be awaited. */
  hashPassword(password: string): Promise<string>;
  /** Sets a password without asking for the current one, and signs the user out everywhere. */
  setPassword(tx: Tx, userId: string, passwordHash: string): Promise<void>;
  /** Signs the user out everywhere: every token issued before is refused. */
  revokeSessions(tx: Tx, userId: string): Promise<void>;
  /** Refuses a wrong password and accounts that cannot be erased. Returns the e-mail address. */
  requireErasable(userId: string, password: string, client: HashClient): Promise<string>;
  /** Replaces the person by a pseudonym and revokes every token. */
  eraseUser(tx: Tx, caller: AccessCaller): Promise<void>;
  /** Calls `onRevoked` in every process after all sessions of a user were revoked. */
  onSessionsRevoked(onRevoked: (userId: string) => void): void;
  /** Loads the revocations before the first request. */
  load(): Promise<void>;
  purgeRevocations(findPlaceOwners: FindPlaceOwners): Promise<void>;
  /** Job: deletes expired tokens of mailed links. */
  purgeMailedTokens(): Promise<void>;
  /** Inside a transaction, pass its `tx` as the reader. */
  requireUser(userId: string, reader?: Reader): Promise<User>;
  requireOperator(caller: Caller): Promise<User>;
  ensureOperator(account: OperatorAccount): Promise<void>;
}

export function createAccounts(deps: AccountsDeps): Accounts {
  const { sql, jwt, limit, onSignUp, enqueueMail, publicUrl } = deps;
  const passwords = createPasswords(deps.passwordMemoryMib);
  const accessTokens = createAccessTokens(jwt);
  const revocations = createRevocations(sql);
  const signUp = createSignUp({ sql, passwords, accessTokens, onSignUp });
  const signIn = createSignIn({ sql, passwords, accessTokens });
  const requireUser = createRequireUser({ sql });
  const issueLink = createIssueLink(publicUrl);
  const mailedLinks = {
    requestPasswordReset: createRequestPasswordReset({ sql, enqueueMail, issueLink }),
    resetPassword: createResetPassword({ sql, passwords, revocations }),
    verifyEmail: createVerifyEmail({ sql, enqueueMail, issueLink }),
  };
  const inviteOperator = createInviteOperator({ onSignUp, issueLink });
  return {
    routes:
      ({ identify }) =>
      (app) => {
        const changePassword = createChangePassword({ sql, passwords, revocations });
        accountRoutes({ sql, identify, limit, signUp, signIn, requireUser, changePassword, revocations })(
          app,
        );
        mailedLinkRoutes({ identify, limit, requireUser, ...mailedLinks })(app);
        operatorRoutes({ sql, identify, inviteOperator, enqueueMail })(app);
      },
    signUp,
    signIn,
    identifyAccess(token, nowMs) {
      const claim = accessTokens.identify(token, nowMs);
      if (claim && revocations.isErased(claim.userId)) throw new Refusal('USER_NOT_FOUND');
      return claim && !revocations.isRevoked(claim) ? claim : undefined;
    },
    isRevoked: revocations.isRevoked,
    isErased: revocations.isErased,
    hashPassword: passwords.hash,
    setPassword,
    revokeSessions,
    requireErasable: createRequireErasable({ sql, passwords, requireUser, revocations }),
    eraseUser,
    onSessionsRevoked(onRevoked) {
      sql.subscribe(credentialsChanged, ({ userId }) => {
        onRevoked(userId);
      });
    },
    load: revocations.load,
    purgeRevocations: revocations.purge,
    purgeMailedTokens: () => purgeMailedTokens(sql),
    requireUser,
    requireOperator: createRequireOperator(requireUser),
    ensureOperator: createEnsureOperator({ sql, passwords, onSignUp }),
  };
}
