import { recordAudit } from '../../audit/index.js';
import type { Sql } from '../../platform/sql/index.js';
import type { Passwords } from '../passwords.js';
import { addUser, type NewAccount, type OnSignUp } from '../sign-up.js';

/**
 * For the command line: creates an operator with a password. False if the address has an account, which keeps its role and
 * its password: a fan could have signed up with it first.
 */
export const createAddOperator =
  (deps: { readonly sql: Sql; readonly passwords: Pick<Passwords, 'hash'>; readonly onSignUp: OnSignUp }) =>
  async ({ email, name, password }: NewAccount): Promise<boolean> => {
    const passwordHash = await deps.passwords.hash(password);
    return deps.sql.transaction(async (tx) => {
      const user = await addUser(tx, deps.onSignUp, { email, name, role: 'OPERATOR', passwordHash });
      if (!user) return false;
      const details = { operatorId: user.id, email };
      await recordAudit(tx, { actorId: null, action: 'OPERATOR_ADDED', details });
      return true;
    });
  };
