import { createTransport } from 'nodemailer';
import { SECOND_MS } from '../kernel/time.js';
import type { SendMail } from './send-due.js';

const CONNECT_MAX_MS = 10 * SECOND_MS;
const IDLE_MAX_MS = 15 * SECOND_MS;

export interface SmtpSettings {
  /** `smtp://` or `smtps://`, with options of nodemailer as query parameters. */
  readonly url: string;
  /** The sender: an address, or a name and an address. */
  readonly from: string;
}

export function createSmtp({ url, from }: SmtpSettings): SendMail {
  const transport = createTransport({
    url,
    connectionTimeout: CONNECT_MAX_MS,
    dnsTimeout: CONNECT_MAX_MS,
    greetingTimeout: CONNECT_MAX_MS,
    socketTimeout: IDLE_MAX_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([^@>]+)>?$/.exec(from)?.[1] ?? 'foyer';
  return async ({ id, to, subject, text }, signal) => {
    await transport.sendMail({
      from,
      to,
      subject,
      text,
      signal,
      // The same in every attempt, so that a mailbox can recognize a mail that arrives twice.
      messageId: `<${id}@${domain}>`,
      // No out-of-office replies.
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  };
}
