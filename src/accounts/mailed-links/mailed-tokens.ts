/**
 * Secret links that are mailed to a person. The link contains a random token; the database stores only its hash, so a copy
 * of the database opens no account. The token is in the fragment of the link, which browsers send to no server.
 */
import { createHash, randomBytes } from 'node:crypto';
import { HOUR_MS } from '../../kernel/time.js';
import type { Tx } from '../../platform/sql/index.js';
import { insertMailedToken, type TokenPurpose } from './queries.js';

const TOKEN_BYTES = 32;

const LIFETIMES_MS: Readonly<Record<TokenPurpose, number>> = {
  PASSWORD_RESET: HOUR_MS,
  OPERATOR_INVITATION: 72 * HOUR_MS,
  EMAIL_VERIFICATION: 24 * HOUR_MS,
};

const PAGES: Readonly<Record<TokenPurpose, string>> = {
  PASSWORD_RESET: '/reset-password',
  OPERATOR_INVITATION: '/accept-invitation',
  EMAIL_VERIFICATION: '/verify-email',
};

export interface MailedLink {
  readonly link: string;
  readonly expiresAtMs: number;
}

/** Stores a new token and returns the link with it. Without a user the link opens nothing. */
export type IssueLink = (tx: Tx, purpose: TokenPurpose, userId: string | null) => Promise<MailedLink>;

export const createIssueLink =
  (publicUrl: string): IssueLink =>
  async (tx, purpose, userId) => {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const expiresAtMs = tx.nowMs + LIFETIMES_MS[purpose];
    await tx.exec(insertMailedToken, [hashToken(token), userId, purpose, expiresAtMs]);
    return { link: `${publicUrl}${PAGES[purpose]}#${token}`, expiresAtMs };
  };

/** A plain hash is enough, because a token cannot be guessed. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
