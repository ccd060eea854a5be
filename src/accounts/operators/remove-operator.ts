import { recordAudit } from '../../audit/index.js';
import { guard } from '../../kernel/guard.js';
import { Refusal } from '../../kernel/refusal.js';
import type { Tx } from '../../platform/sql/index.js';
import { revokeSessions } from '../credentials.js';
import { endTokens } from '../mailed-links/queries.js';
import { findUser } from '../queries.js';
import { isOperator, lockOperators, revokeOperator } from './queries.js';

/**
 * Takes the role away, or an invitation back, and signs the person out everywhere. The account stays, as a fan's.
 *
 * The last operator cannot be removed: nobody removes themselves, and whoever removes another is still an operator when the
 * removal commits. Of two operators who remove each other at the same time, one is refused.
 */
export async function removeOperator(tx: Tx, actorId: string, operatorId: string): Promise<void> {
  if (operatorId === actorId) throw new Refusal('CANNOT_REMOVE_YOURSELF');
  await tx.lock(guard('operator-removal-lock', lockOperators), [[actorId, operatorId]]);
  if (!(await tx.get(isOperator, [actorId]))) throw new Refusal('FORBIDDEN');
  const user = await tx.get(findUser, [operatorId]);
  const wasOperator = (await tx.exec(revokeOperator, [operatorId])) > 0;
  const wasInvited = (await tx.exec(endTokens, [operatorId, 'OPERATOR_INVITATION', tx.nowMs])) > 0;
  if (!user || !(wasOperator || wasInvited)) throw new Refusal('OPERATOR_NOT_FOUND');
  if (wasOperator) await revokeSessions(tx, operatorId);
  const details = { operatorId, email: user.email };
  await recordAudit(tx, { actorId, action: 'OPERATOR_REMOVED', details });
}
