import { assertDefined } from '../kernel/assert.js';
import { MINUTE_MS, SECOND_MS } from '../kernel/time.js';
import type { Sql } from '../platform/sql/index.js';
import { claimMails, finishMail, listDueMails, type MailRow, retryMail } from './queries.js';

/** Mails that one process sends at the same time, each on a connection of its own. */
const CONCURRENT_MAX = 5;
/** Rounds of one run, so that a run ends. The next one begins a second later. */
const ROUNDS_MAX = 100;
const SEND_MAX_MS = 30 * SECOND_MS;
/** Longer than a mail can take to send: a claim that has ended belongs to a process that has stopped. */
const CLAIM_MS = 2 * MINUTE_MS;
/** With the back-off below, the last attempt is about half an hour after the first: a reset link is still valid then. */
export const ATTEMPTS_MAX = 7;
const RETRY_BASE_MS = 30 * SECOND_MS;

export type SendMail = (
  mail: { readonly id: string; readonly to: string; readonly subject: string; readonly text: string },
  signal: AbortSignal,
) => Promise<void>;

/** A failed attempt, without the recipient, the text and the server's answer, which may quote either. */
export interface MailFailure {
  readonly mailId: string;
  readonly attempts: number;
  readonly reason: string;
}

export interface MailEvents {
  sent(): void;
  /** Another attempt follows. */
  retried(failure: MailFailure): void;
  /** No attempt follows. */
  failed(failure: MailFailure): void;
}

interface Deps {
  readonly sql: Sql;
  readonly send: SendMail;
  readonly events: MailEvents;
  readonly stopSignal: AbortSignal;
}

export function createSendDue({ sql, send, events, stopSignal }: Deps): () => Promise<void> {
  async function claimBatch(): Promise<readonly MailRow[]> {
    const due = await sql.reader.all(listDueMails, [sql.nowMs(), CONCURRENT_MAX]);
    if (due.length === 0) return [];
    const ids = due.map(({ id }) => id);
    return sql.transaction((tx) => tx.all(claimMails, [ids, tx.nowMs, tx.nowMs + CLAIM_MS]));
  }

  async function sendOne({ id, recipient, subject, body, attempts }: MailRow): Promise<void> {
    const text = assertDefined(body, 'a pending mail has no text');
    const signal = AbortSignal.any([AbortSignal.timeout(SEND_MAX_MS), stopSignal]);
    try {
      await send({ id, to: recipient, subject, text }, signal);
    } catch (error) {
      await recordFailure({ mailId: id, attempts, reason: reasonOf(error) });
      return;
    }
    await sql.transaction((tx) => tx.exec(finishMail, [id, 'SENT']));
    events.sent();
  }

  async function recordFailure(failure: MailFailure): Promise<void> {
    const { mailId, attempts } = failure;
    if (attempts >= ATTEMPTS_MAX) {
      await sql.transaction((tx) => tx.exec(finishMail, [mailId, 'FAILED']));
      events.failed(failure);
      return;
    }
    await sql.transaction((tx) => tx.exec(retryMail, [mailId, attempts, tx.nowMs + retryDelayMs(attempts)]));
    events.retried(failure);
  }

  return async () => {
    for (let round = 0; round < ROUNDS_MAX && !stopSignal.aborted; round += 1) {
      const mails = await claimBatch();
      if (mails.length === 0) return;
      await Promise.all(mails.map(sendOne));
    }
  };
}

/** 30 s, 1 min, 2 min, … */
export const retryDelayMs = (attempts: number): number => RETRY_BASE_MS * 2 ** (attempts - 1);

/** The error's code and the status of the SMTP response, never a message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  const status = 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : '';
  return `${code} ${status}`.trim();
}
