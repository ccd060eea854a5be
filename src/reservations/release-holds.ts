import type { AccessCaller } from '../kernel/caller.js';
import type { Tx } from '../platform/sql/index.js';
import { lockHoldsOf } from './queries.js';
import { releaseHold } from './release-hold.js';

/** Releases everything that a user holds. */
export async function releaseHolds(tx: Tx, caller: AccessCaller): Promise<void> {
  for (const { id } of await tx.all(lockHoldsOf, [caller.userId, tx.nowMs]))
    await releaseHold(tx, caller, id);
}
