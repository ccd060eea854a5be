/**
 * The mail module: an outbox in the database, and the jobs that empty it.
 *
 * A mail is written in the transaction of what causes it, so neither exists without the other, and any process sends it.
 * States: PENDING, then SENT, FAILED (given up after `ATTEMPTS_MAX` attempts) or EXPIRED (its link is no longer valid).
 * DISCARDED is a mail that has no recipient: requests for an unknown address write it to do the same work as for a known one.
 *
 * - A process claims a mail before it sends it, and a guarded statement decides between processes. If the process stops in
 *   between, the claim ends and another process sends the mail: at least once, and twice only after a failure.
 * - Without SMTP nothing is sent: a PENDING mail is read by operators on the mailbox page until it expires.
 * - The text contains secret links. It is deleted when the mail leaves PENDING, is shown to operators only if there is no
 *   SMTP, and must never be logged; neither must a recipient.
 */
import type { Sql, Tx } from '../platform/sql/index.js';
import type { Routes } from '../platform/web/index.js';
import { enqueueMail, type Enqueue } from './enqueue-mail.js';
import { createMailbox } from './mailbox.js';
import { createMailMaintenance } from './maintenance.js';
import { deleteMailsTo } from './queries.js';
import { mailRoutes } from './routes.js';
import { createSendDue, type MailEvents } from './send-due.js';
import { createSmtp, type SmtpSettings } from './smtp.js';

export type { Enqueue } from './enqueue-mail.js';
export { listMailsTo } from './queries.js';

export interface MailDeps {
  readonly sql: Sql;
  /** Undefined: mail stays in the outbox. */
  readonly smtp: SmtpSettings | undefined;
  readonly events: MailEvents;
  /** How long the outbox shows what became of a mail. */
  readonly retentionMs: number;
}

export interface Mail {
  readonly enqueue: Enqueue;
  readonly routes: Routes;
  /** Job: sends what is due. Undefined without SMTP. */
  readonly sendDue: (() => Promise<void>) | undefined;
  /** Job: deletes the texts of expired mails. */
  expire(): Promise<void>;
  /** Deletes every mail to this address, sent or not. */
  eraseRecipient(tx: Tx, recipient: string): Promise<void>;
  /** Job: deletes old mails. */
  purge(): Promise<void>;
  /** Aborts what is being sent; another process, or the next start, sends it again. */
  stop(): void;
}

export function createMail({ sql, smtp, events, retentionMs }: MailDeps): Mail {
  const stopping = new AbortController();
  const send = smtp && createSmtp(smtp);
  return {
    enqueue: enqueueMail,
    async eraseRecipient(tx, recipient) {
      await tx.exec(deleteMailsTo, [recipient]);
    },
    routes: mailRoutes(createMailbox(sql, smtp !== undefined)),
    sendDue: send && createSendDue({ sql, send, events, stopSignal: stopping.signal }),
    ...createMailMaintenance(sql, retentionMs),
    stop: () => {
      stopping.abort();
    },
  };
}
