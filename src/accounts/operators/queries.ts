import { statement } from '../../platform/sql/index.js';

export interface OperatorRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** CUSTOMER: invited, and has not accepted yet. */
  readonly role: 'CUSTOMER' | 'OPERATOR';
  readonly createdAtMs: number;
}

const COLUMNS = `id, email, name, role, created_at AS "createdAtMs"`;

export const findInvitee = statement<[emailKey: string], OperatorRow>(
  'find_invitee',
  `SELECT ${COLUMNS} FROM users WHERE email_key = $1`,
);

/** `created_at >= 0` and `expires_at >= 0` are always true: only statements that repeat them use the partial indexes. */
export const listOperators = statement<
  [beforeMs: number, beforeId: string, limit: number, nowMs: number],
  OperatorRow
>(
  'list_operators',
  `SELECT ${COLUMNS} FROM users
   WHERE (created_at, id) < ($1, $2) AND id IN (
     SELECT id FROM users WHERE role = 'OPERATOR' AND created_at >= 0
     UNION SELECT user_id FROM mailed_tokens
       WHERE purpose = 'OPERATOR_INVITATION' AND expires_at >= 0 AND used_at IS NULL AND expires_at > $4)
   ORDER BY created_at DESC, id DESC LIMIT $3`,
);

/** Returns no row if the user is an operator already. */
export const grantOperator = statement<[userId: string], { readonly email: string }>(
  'grant_operator',
  `UPDATE users SET role = 'OPERATOR' WHERE id = $1 AND role <> 'OPERATOR' RETURNING email`,
);

/** Locks the one who removes and the one who is removed, in order of id. */
export const lockOperators = statement<[ids: readonly string[]], { readonly id: string }>(
  'lock_operators',
  ({ anyOf, forUpdate }) => `SELECT id FROM users WHERE id ${anyOf('$1')} ORDER BY id${forUpdate}`,
);

export const isOperator = statement<[userId: string], { readonly id: string }>(
  'is_operator',
  `SELECT id FROM users WHERE id = $1 AND role = 'OPERATOR'`,
);

export const revokeOperator = statement<[userId: string]>(
  'revoke_operator',
  `UPDATE users SET role = 'CUSTOMER' WHERE id = $1 AND role = 'OPERATOR'`,
);
