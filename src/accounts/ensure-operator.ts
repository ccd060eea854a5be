import { emailKeyOf } from '../kernel/credentials.js';
import { UserError } from '../kernel/user-error.js';
import type { Reader, Sql } from '../platform/sql/index.js';
import type { Passwords } from './passwords.js';
import { findUserToSignIn } from './queries.js';
import { addUser, type OnSignUp } from './sign-up.js';

export const OPERATOR_NAME = 'Operator';

export interface OperatorAccount {
  readonly email: string;
  readonly password: string;
  readonly name?: string;
}

interface Deps {
  readonly sql: Sql;
  readonly passwords: Passwords;
  readonly onSignUp: OnSignUp;
}

/** Throws if the address belongs to a fan: addresses are not verified, so a fan could have signed up with it first. */
async function hasOperator(reader: Reader, email: string): Promise<boolean> {
  const user = await reader.get(findUserToSignIn, [emailKeyOf(email)]);
  if (user?.role === 'CUSTOMER') {
    throw new UserError(
      "FOYER_OPERATOR_EMAIL is the address of a fan's account, which cannot become the operator: set another address.",
    );
  }
  return user !== undefined;
}

/** Creates the operator account if it does not exist. An existing account keeps its password. */
export const createEnsureOperator =
  ({ sql, passwords, onSignUp }: Deps) =>
  async ({ email, password, name = OPERATOR_NAME }: OperatorAccount): Promise<void> => {
    if (await hasOperator(sql.reader, email)) return;
    const passwordHash = await passwords.hash(password);
    await sql.transaction(async (tx) => {
      const added = await addUser(tx, onSignUp, { email, name, role: 'OPERATOR', passwordHash });
      // Another process or a sign-up was faster: check that the account is not a fan's.
      if (!added) await hasOperator(tx, email);
    });
  };
