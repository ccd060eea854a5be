import { recordAudit } from '../../audit/index.js';
import { assertDefined } from '../../kernel/assert.js';
import { emailKeyOf } from '../../kernel/credentials.js';
import { Refusal } from '../../kernel/refusal.js';
import type { Tx } from '../../platform/sql/index.js';
import type { IssueLink, MailedLink } from '../mailed-links/mailed-tokens.js';
import { endTokens } from '../mailed-links/queries.js';
import { addUser, type OnSignUp } from '../sign-up.js';
import { findInvitee, type OperatorRow } from './queries.js';

export interface Invitee {
  readonly email: string;
  readonly name: string;
}

export interface Invitation extends MailedLink {
  readonly user: OperatorRow;
}

export type InviteOperator = (tx: Tx, actorId: string | null, invitee: Invitee) => Promise<Invitation>;

/**
 * Creates the link that makes an address an operator. Inviting gives no right: the account becomes an operator when the
 * link is used, and then gets a new password. So a fan who signed up with somebody else's address gains nothing. Inviting
 * again ends the link before.
 */
export const createInviteOperator =
  (deps: { readonly onSignUp: OnSignUp; readonly issueLink: IssueLink }): InviteOperator =>
  async (tx, actorId, { email, name }) => {
    await addUser(tx, deps.onSignUp, { email, name, role: 'CUSTOMER', passwordHash: null });
    const user = assertDefined(
      await tx.get(findInvitee, [emailKeyOf(email)]),
      'an invited address has no account',
    );
    // The command line may also give a link to an operator who has lost the password.
    if (user.role === 'OPERATOR' && actorId !== null) throw new Refusal('ALREADY_OPERATOR');
    await tx.exec(endTokens, [user.id, 'OPERATOR_INVITATION', tx.nowMs]);
    const link = await deps.issueLink(tx, 'OPERATOR_INVITATION', user.id);
    const details = { operatorId: user.id, email: user.email };
    await recordAudit(tx, { actorId, action: 'OPERATOR_INVITED', details });
    return { user, ...link };
  };
