import { statement } from '../platform/sql/index.js';

export type Role = 'CUSTOMER' | 'OPERATOR';

export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

/** Returns no row if the address is taken: the unique key decides between concurrent sign-ups. */
export const insertUser = statement<
  [
    id: string,
    email: string,
    emailKey: string,
    name: string,
    role: Role,
    passwordHash: string,
    nowMs: number,
  ],
  User
>(
  'insert_user',
  `INSERT INTO users (id, email, email_key, name, role, password_hash, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (email_key) DO NOTHING
   RETURNING id, email, name, role`,
);

export const findUser = statement<[userId: string], User>(
  'find_user',
  `SELECT id, email, name, role FROM users WHERE id = $1`,
);

export const findUserToSignIn = statement<[emailKey: string], User & { readonly passwordHash: string }>(
  'find_user_to_sign_in',
  `SELECT id, email, name, role, password_hash AS "passwordHash" FROM users WHERE email_key = $1`,
);
