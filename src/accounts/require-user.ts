import type { Caller } from '../kernel/caller.js';
import { Refusal } from '../kernel/refusal.js';
import type { Reader, Sql } from '../platform/sql/index.js';
import { findUser, toUser, type User } from './queries.js';

export const createRequireUser =
  ({ sql }: { readonly sql: Sql }) =>
  async (userId: string, reader: Reader = sql.reader): Promise<User> => {
    const user = await reader.get(findUser, [userId]);
    if (!user) throw new Refusal('USER_NOT_FOUND');
    return toUser(user);
  };

/** Reads the role at every call. Tokens do not contain it, so a revoked role takes effect immediately. */
export const createRequireOperator =
  (requireUser: (userId: string) => Promise<User>) =>
  async (caller: Caller): Promise<User> => {
    if (caller.kind !== 'access') throw new Refusal('FORBIDDEN');
    const user = await requireUser(caller.userId);
    if (user.role !== 'OPERATOR') throw new Refusal('FORBIDDEN');
    return user;
  };
