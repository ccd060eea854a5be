import { Refusal } from '../../kernel/refusal.js';
import type { Enqueue } from '../../mail/index.js';
import type { Sql } from '../../platform/sql/index.js';
import type { User } from '../queries.js';
import { hashToken, type IssueLink } from './mailed-tokens.js';
import { emailVerificationMail } from './mails.js';
import { verifyEmail } from './queries.js';

interface Deps {
  readonly sql: Sql;
  readonly enqueueMail: Enqueue;
  readonly issueLink: IssueLink;
}

/** Nothing depends on a verified address: it only tells the fan whether our mails reach them. */
export const createVerifyEmail = ({ sql, enqueueMail, issueLink }: Deps) => ({
  async request({ id, email, emailVerified }: User): Promise<void> {
    if (emailVerified) return;
    await sql.transaction(async (tx) => {
      const { link, expiresAtMs } = await issueLink(tx, 'EMAIL_VERIFICATION', id);
      await enqueueMail(tx, { ...emailVerificationMail(link), to: email, expiresAtMs });
    });
  },

  async confirm(token: string): Promise<void> {
    const verified = await sql.transaction((tx) => tx.exec(verifyEmail, [hashToken(token), tx.nowMs]));
    if (verified === 0) throw new Refusal('VERIFICATION_TOKEN_INVALID');
  },
});
