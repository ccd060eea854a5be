import { emailKeyOf } from '../../kernel/credentials.js';
import type { Enqueue } from '../../mail/index.js';
import type { Sql } from '../../platform/sql/index.js';
import { findUserByEmail } from '../queries.js';
import type { IssueLink } from './mailed-tokens.js';
import { passwordResetMail } from './mails.js';

interface Deps {
  readonly sql: Sql;
  readonly enqueueMail: Enqueue;
  readonly issueLink: IssueLink;
}

/**
 * Mails a link that sets a new password. An unknown address does the same work, with a link that opens nothing and a mail
 * that is discarded: neither the response nor its time reveals who has an account.
 */
export const createRequestPasswordReset =
  ({ sql, enqueueMail, issueLink }: Deps) =>
  (email: string): Promise<void> =>
    sql.transaction(async (tx) => {
      const user = await tx.get(findUserByEmail, [emailKeyOf(email)]);
      const { link, expiresAtMs } = await issueLink(tx, 'PASSWORD_RESET', user?.id ?? null);
      await enqueueMail(tx, { ...passwordResetMail(link), to: user?.email, expiresAtMs });
    });
