import { newId } from '../kernel/id.js';
import type { Tx } from '../platform/sql/index.js';
import { insertMail } from './queries.js';

export interface NewMail {
  /** Undefined: write the mail as DISCARDED, so that an unknown address costs the same work as a known one. */
  readonly to: string | undefined;
  readonly subject: string;
  readonly text: string;
  /** When the link in the mail expires. It is not sent after that. */
  readonly expiresAtMs: number;
}

/** Must run in the transaction of what causes the mail. */
export type Enqueue = (tx: Tx, mail: NewMail) => Promise<void>;

export const enqueueMail: Enqueue = async (tx, { to, subject, text, expiresAtMs }) => {
  const isDiscarded = to === undefined;
  await tx.exec(insertMail, [
    newId(tx.nowMs),
    to ?? '',
    subject,
    isDiscarded ? null : text,
    isDiscarded ? 'DISCARDED' : 'PENDING',
    expiresAtMs,
    tx.nowMs,
  ]);
};
