import { Type } from 'typebox';
import { iso } from '../kernel/time.js';
import type { Sql } from '../platform/sql/index.js';
import {
  closed,
  Count,
  Id,
  listOf,
  Nullable,
  type Page,
  pageOfRows,
  type PageRequest,
  Timestamp,
} from '../platform/web/index.js';
import { listMails, type MailRow, type MailStatus } from './queries.js';

interface MailView {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string | null;
  readonly status: MailStatus;
  readonly attempts: number;
  readonly createdAt: string;
  readonly expiresAt: string;
}

const MailSchema = closed({
  id: Id,
  to: Type.String(),
  subject: Type.String(),
  text: Nullable(Type.String({ description: 'null if mail is sent by SMTP, or if the link has expired' })),
  status: Type.Unsafe<MailStatus>({ type: 'string', enum: ['PENDING', 'SENT', 'FAILED', 'EXPIRED'] }),
  attempts: Count,
  createdAt: Timestamp,
  expiresAt: Timestamp,
});

export const MailPageSchema = closed({
  delivery: Type.Unsafe<'SMTP' | 'MAILBOX'>({
    type: 'string',
    enum: ['SMTP', 'MAILBOX'],
    description: 'SMTP: mail is sent. MAILBOX: nothing is sent, and operators read it here',
  }),
  ...listOf(MailSchema).properties,
});

/** A page of the outbox, newest first; with texts only if there is no SMTP. */
export type Mailbox = (
  request: PageRequest,
) => Promise<Page<MailView> & { readonly delivery: 'SMTP' | 'MAILBOX' }>;

export function createMailbox(sql: Sql, isSentBySmtp: boolean): Mailbox {
  const toView = ({ id, recipient, subject, body, status, attempts, ...row }: MailRow): MailView => ({
    id,
    to: recipient,
    subject,
    text: isSentBySmtp ? null : body,
    status,
    attempts,
    createdAt: iso(row.createdAtMs),
    expiresAt: iso(row.expiresAtMs),
  });
  return async (request) => {
    const page = await pageOfRows(
      request,
      (before, limit) => sql.reader.all(listMails, [...before, limit]),
      toView,
      (row) => [row.createdAtMs, row.id],
    );
    return { delivery: isSentBySmtp ? 'SMTP' : 'MAILBOX', ...page };
  };
}
