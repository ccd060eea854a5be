import { expect } from 'vitest';
import type { Client } from './client.js';
import { expectList } from './shapes.js';

interface MailboxEntry {
  readonly to: string;
  readonly subject: string;
  readonly text: string | null;
  readonly status: string;
}

/** The mails to this address, newest first. */
export async function mailsTo(client: Client, operator: string, email: string): Promise<MailboxEntry[]> {
  const mails = expectList<MailboxEntry>(await client.get('/operator/mailbox?limit=200', operator));
  return mails.filter(({ to }) => to === email);
}

/** The link in the newest mail to this address. */
export async function linkTo(client: Client, operator: string, email: string): Promise<URL> {
  const [mail] = await mailsTo(client, operator, email);
  const link = /https?:\/\/\S+/.exec(mail?.text ?? '')?.[0];
  expect(link, `a mail to ${email}`).toBeDefined();
  return new URL(link ?? '');
}

/** The token in that link. */
export const linkTokenTo = async (client: Client, operator: string, email: string): Promise<string> =>
  (await linkTo(client, operator, email)).hash.slice(1);
