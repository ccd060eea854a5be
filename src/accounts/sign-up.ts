import { emailKeyOf } from '../kernel/credentials.js';
import type { HashClient } from '../kernel/hash-client.js';
import { newId } from '../kernel/id.js';
import { Refusal } from '../kernel/refusal.js';
import type { Sql, Tx } from '../platform/sql/index.js';
import type { AccessTokens } from './access-tokens.js';
import type { Passwords } from './passwords.js';
import {
  findUserByEmail,
  FIRST_CREDENTIAL_VERSION,
  insertUser,
  type Role,
  toUser,
  type User,
} from './queries.js';
import { openSession, type Session } from './session.js';

/** Creates what every account needs (its wallet), in the same transaction. */
export type OnSignUp = (tx: Tx, userId: string) => Promise<void>;

export interface NewAccount extends HashClient {
  readonly email: string;
  readonly password: string;
  readonly name: string;
}

interface Deps {
  readonly sql: Sql;
  readonly passwords: Passwords;
  readonly accessTokens: AccessTokens;
  readonly onSignUp: OnSignUp;
}

export const createSignUp =
  ({ sql, passwords, accessTokens, onSignUp }: Deps) =>
  async ({ email, password, name, client, signal }: NewAccount): Promise<Session> => {
    // Without a hash, which is expensive. The unique key decides between concurrent sign-ups.
    if (await sql.reader.get(findUserByEmail, [emailKeyOf(email)])) throw new Refusal('EMAIL_TAKEN');
    // Before the transaction, inside which only SQL may be awaited.
    const passwordHash = await passwords.hash(password, { client, signal });
    return sql.transaction(async (tx) => {
      const user = await addUser(tx, onSignUp, { email, name, role: 'CUSTOMER', passwordHash });
      if (!user) throw new Refusal('EMAIL_TAKEN');
      return openSession(accessTokens, user, FIRST_CREDENTIAL_VERSION, tx.nowMs);
    });
  };

export interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Null: there is no password until the owner of the address chooses one. */
  readonly passwordHash: string | null;
}

/** Undefined if the address is taken. */
export async function addUser(tx: Tx, onSignUp: OnSignUp, user: NewUser): Promise<User | undefined> {
  const { email, name, role, passwordHash } = user;
  const added = await tx.get(insertUser, [
    newId(),
    email,
    emailKeyOf(email),
    name,
    role,
    passwordHash,
    tx.nowMs,
  ]);
  if (!added) return undefined;
  await onSignUp(tx, added.id);
  return toUser(added);
}
