import { guard } from '../kernel/guard.js';
import { statement } from '../platform/sql/index.js';

export type Role = 'CUSTOMER' | 'OPERATOR';

export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly emailVerified: boolean;
}

interface UserRow extends Omit<User, 'emailVerified'> {
  readonly emailVerifiedAtMs: number | null;
}

const USER = `id, email, name, role, email_verified_at AS "emailVerifiedAtMs"`;

export const toUser = ({ id, email, name, role, emailVerifiedAtMs }: UserRow): User => ({
  id,
  email,
  name,
  role,
  emailVerified: emailVerifiedAtMs !== null,
});

/** Returns no row if the address is taken: the unique key decides between concurrent sign-ups. */
export const insertUser = statement<
  [
    id: string,
    email: string,
    emailKey: string,
    name: string,
    role: Role,
    passwordHash: string | null,
    nowMs: number,
  ],
  UserRow
>(
  'insert_user',
  `INSERT INTO users (id, email, email_key, name, role, password_hash, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (email_key) DO NOTHING
   RETURNING ${USER}`,
);

export const findUser = statement<[userId: string], UserRow>(
  'find_user',
  `SELECT ${USER} FROM users WHERE id = $1 AND erased_at IS NULL`,
);

export const findUserByEmail = statement<[emailKey: string], UserRow>(
  'find_account_by_email',
  `SELECT ${USER} FROM users WHERE email_key = $1`,
);

/** The version of the credentials with which every account starts. */
export const FIRST_CREDENTIAL_VERSION = 0;

export interface StoredCredentials {
  /** Null: the account was invited and has no password yet. */
  readonly passwordHash: string | null;
  readonly credentialVersion: number;
}

/** Hash and version are read together: a token issued for this hash is revoked by any later change of the password. */
const CREDENTIALS = (): string =>
  `password_hash AS "passwordHash", ${guard('sign-in-version', 'credential_version')} AS "credentialVersion"`;

export const findUserToSignIn = statement<[emailKey: string], UserRow & StoredCredentials>(
  'find_user_to_sign_in',
  () => `SELECT ${USER}, ${CREDENTIALS()} FROM users WHERE email_key = $1`,
);

export const findPasswordHash = statement<[userId: string], Pick<StoredCredentials, 'passwordHash'>>(
  'find_password_hash',
  `SELECT password_hash AS "passwordHash" FROM users WHERE id = $1`,
);

/** Stores a hash of the same password at a higher cost, unless the password was changed meanwhile. */
export const replacePasswordHash = statement<[userId: string, verifiedHash: string, passwordHash: string]>(
  'replace_password_hash',
  () =>
    `UPDATE users SET password_hash = $3 WHERE id = $1 AND ${guard('rehash-unchanged', 'password_hash = $2')}`,
);

// An alias, not an interface: a published change must be assignable to Json.
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions
export type CredentialChange = {
  readonly userId: string;
  readonly credentialVersion: number;
  readonly changedAtMs: number;
  /** Set by the change that erased the account. */
  readonly erasedAtMs: number | null;
};

const RAISE_VERSION = 'credential_version = credential_version + 1';
const CREDENTIAL_CHANGE = `id AS "userId", credential_version AS "credentialVersion",
  credentials_changed_at AS "changedAtMs", erased_at AS "erasedAtMs"`;

export const raiseCredentialVersion = statement<[userId: string, nowMs: number], CredentialChange>(
  'raise_credential_version',
  `UPDATE users SET ${RAISE_VERSION}, credentials_changed_at = $2 WHERE id = $1 RETURNING ${CREDENTIAL_CHANGE}`,
);

export const updatePassword = statement<
  [userId: string, nowMs: number, passwordHash: string],
  CredentialChange
>(
  'update_password',
  `UPDATE users SET password_hash = $3, ${RAISE_VERSION}, credentials_changed_at = $2
   WHERE id = $1 AND erased_at IS NULL RETURNING ${CREDENTIAL_CHANGE}`,
);

/** Changes the password only if the session that asks for it has not been revoked meanwhile. */
export const updateOwnPassword = statement<
  [userId: string, nowMs: number, passwordHash: string, credentialVersion: number],
  CredentialChange
>(
  'update_own_password',
  () => `UPDATE users SET password_hash = $3, ${RAISE_VERSION}, credentials_changed_at = $2
   WHERE id = $1 AND ${guard('own-password-version', 'credential_version = $4')} RETURNING ${CREDENTIAL_CHANGE}`,
);

export const listCredentialChanges = statement<[], CredentialChange>(
  'list_credential_changes',
  `SELECT ${CREDENTIAL_CHANGE} FROM users WHERE credentials_changed_at IS NOT NULL`,
);

/** In order of id, so that a purge can page through changes that it must keep. */
export const listOldCredentialChanges = statement<
  [changedBeforeMs: number, afterId: string, limit: number],
  { readonly userId: string }
>(
  'list_old_credential_changes',
  `SELECT id AS "userId" FROM users
   WHERE credentials_changed_at IS NOT NULL AND credentials_changed_at < $1 AND id > $2 ORDER BY id LIMIT $3`,
);

export const forgetCredentialChanges = statement<
  [userIds: readonly string[], changedBeforeMs: number],
  { userId: string; credentialVersion: number }
>(
  'forget_credential_changes',
  (dialect) => `UPDATE users SET credentials_changed_at = NULL
   WHERE id ${dialect.anyOf('$1')} AND credentials_changed_at < $2
   RETURNING id AS "userId", credential_version AS "credentialVersion"`,
);

/** Signing out twice is the same as once. */
export const insertRevokedSession = statement<[sessionId: string, userId: string, expiresAtMs: number]>(
  'insert_revoked_session',
  `INSERT INTO revoked_sessions (id, user_id, expires_at) SELECT $1, id, $3 FROM users WHERE id = $2
   ON CONFLICT (id) DO NOTHING`,
);

export const listRevokedSessions = statement<
  [nowMs: number],
  { readonly sessionId: string; readonly expiresAtMs: number }
>(
  'list_revoked_sessions',
  `SELECT id AS "sessionId", expires_at AS "expiresAtMs" FROM revoked_sessions WHERE expires_at > $1`,
);

export const deleteExpiredSessions = statement<[nowMs: number, limit: number]>(
  'delete_expired_sessions',
  (dialect) => `DELETE FROM revoked_sessions
   WHERE id ${dialect.inQuery('SELECT id FROM revoked_sessions WHERE expires_at <= $1 LIMIT $2')}`,
);

/**
 * Changing `email_key` takes the row's strongest lock: a join, which locks its users, either commits before and is seen, or
 * waits and then finds the account erased.
 */
export const eraseUserRow = statement<
  [userId: string, nowMs: number, credentialVersion: number],
  CredentialChange
>(
  'erase_user',
  () => `UPDATE users SET email = 'erased', email_key = 'erased ' || id, name = 'erased', password_hash = NULL,
     email_verified_at = NULL, erased_at = $2,
     ${RAISE_VERSION}, credentials_changed_at = $2
   WHERE id = $1 AND role = 'CUSTOMER' AND erased_at IS NULL AND credential_version = $3
   RETURNING ${CREDENTIAL_CHANGE}`,
);
