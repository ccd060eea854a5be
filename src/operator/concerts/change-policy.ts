import { changesBetween, recordChanges } from '../../audit/index.js';
import type { Tx } from '../../platform/sql/index.js';
import type { Policy, PolicyChange, PolicyPatch } from '../../waiting-room/index.js';

/** Changes a waiting-room policy and writes the audit entry. A null `actorId` is the command line. */
export const createChangePolicy =
  (deps: {
    readonly changePolicy: (tx: Tx, concertId: string, patch: PolicyPatch) => Promise<PolicyChange>;
  }) =>
  async (tx: Tx, actorId: string | null, concertId: string, patch: PolicyPatch): Promise<Policy> => {
    const { before, after } = await deps.changePolicy(tx, concertId, patch);
    const details = changesBetween(before, after);
    await recordChanges(tx, { concertId, actorId, action: 'POLICY_CHANGED', details });
    return after;
  };
