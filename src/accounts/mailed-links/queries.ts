import { guard } from '../../kernel/guard.js';
import { statement } from '../../platform/sql/index.js';

export type TokenPurpose = 'PASSWORD_RESET' | 'OPERATOR_INVITATION' | 'EMAIL_VERIFICATION';

export const insertMailedToken = statement<
  [hash: string, userId: string | null, purpose: TokenPurpose, expiresAtMs: number]
>(
  'insert_mailed_token',
  `INSERT INTO mailed_tokens (hash, user_id, purpose, expires_at) VALUES ($1, $2, $3, $4)`,
);

/** Tokens that set a password, once. */
const SETS_PASSWORD = `user_id IS NOT NULL AND purpose IN ('PASSWORD_RESET', 'OPERATOR_INVITATION')`;

export const findPasswordToken = statement<[hash: string, nowMs: number], { readonly userId: string }>(
  'find_password_token',
  `SELECT user_id AS "userId" FROM mailed_tokens
   WHERE hash = $1 AND ${SETS_PASSWORD} AND used_at IS NULL AND expires_at > $2`,
);

/** Returns no row unless this is the first use: of concurrent uses one finds the token unused. */
export const usePasswordToken = statement<
  [hash: string, nowMs: number],
  { readonly userId: string; readonly purpose: TokenPurpose }
>(
  'use_password_token',
  () => `UPDATE mailed_tokens SET used_at = $2
   WHERE hash = $1 AND ${SETS_PASSWORD} AND ${guard('mailed-token-once', 'used_at IS NULL')} AND expires_at > $2
   RETURNING user_id AS "userId", purpose`,
);

/** Ends the other links of a user for this purpose. */
export const endTokens = statement<[userId: string, purpose: TokenPurpose, nowMs: number]>(
  'end_mailed_tokens',
  `UPDATE mailed_tokens SET used_at = $3 WHERE user_id = $1 AND purpose = $2 AND used_at IS NULL`,
);

/** Can be repeated until the token expires: a client may have lost the first response. */
export const verifyEmail = statement<[hash: string, nowMs: number]>(
  'verify_email',
  `UPDATE users SET email_verified_at = coalesce(email_verified_at, $2)
   WHERE id = (SELECT user_id FROM mailed_tokens
     WHERE hash = $1 AND purpose = 'EMAIL_VERIFICATION' AND expires_at > $2)`,
);

/** A link from a mail proves that the address belongs to the person. */
export const markEmailVerified = statement<[userId: string, nowMs: number]>(
  'mark_email_verified',
  `UPDATE users SET email_verified_at = coalesce(email_verified_at, $2) WHERE id = $1`,
);

export const deleteExpiredTokens = statement<[nowMs: number, limit: number]>(
  'delete_expired_mailed_tokens',
  `DELETE FROM mailed_tokens WHERE hash IN (
     SELECT hash FROM mailed_tokens WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)`,
);

export const deleteTokensOf = statement<[userId: string]>(
  'delete_mailed_tokens_of',
  `DELETE FROM mailed_tokens WHERE user_id = $1`,
);
