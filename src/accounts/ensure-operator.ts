import { emailKeyOf } from '../kernel/credentials.js';
import type { Sql } from '../platform/sql/index.js';
import type { Passwords } from './passwords.js';
import { makeOperator } from './queries.js';
import { addUser, type OnSignUp } from './sign-up.js';

const OPERATOR_NAME = 'Operator';

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

/** Creates the operator if missing. An account that is there keeps its password: it may have been changed since. */
export const createEnsureOperator =
  ({ sql, passwords, onSignUp }: Deps) =>
  async ({ email, password, name = OPERATOR_NAME }: OperatorAccount): Promise<void> => {
    const emailKey = emailKeyOf(email);
    const found = await sql.transaction((tx) => tx.run(makeOperator, [emailKey]));
    if (found > 0) return;
    const passwordHash = await passwords.hash(password);
    await sql.transaction(async (tx) => {
      const added = await addUser(tx, onSignUp, { email, name, role: 'OPERATOR', passwordHash });
      // Another process that started at the same time, or a sign-up, was first.
      if (!added) await tx.run(makeOperator, [emailKey]);
    });
  };
