import { statement } from '../platform/sql/index.js';

/** What an account stores about its owner, except the password hash. */
export interface AccountRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly createdAtMs: number;
  readonly emailVerifiedAtMs: number | null;
}

export const findAccount = statement<[userId: string], AccountRow>(
  'find_account',
  `SELECT id, email, name, role, created_at AS "createdAtMs", email_verified_at AS "emailVerifiedAtMs"
   FROM users WHERE id = $1 AND erased_at IS NULL`,
);
