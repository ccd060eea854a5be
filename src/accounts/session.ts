import { iso } from '../kernel/time.js';
import type { AccessTokens } from './access-tokens.js';
import type { User } from './queries.js';

/** The response of sign-up and sign-in. */
export interface Session {
  readonly user: User;
  readonly accessToken: string;
  readonly expiresAt: string;
}

export function openSession(
  accessTokens: AccessTokens,
  user: User,
  credentialVersion: number,
  nowMs: number,
): Session {
  const { token, expiresAtMs } = accessTokens.issue(user.id, credentialVersion, nowMs);
  return { user, accessToken: token, expiresAt: iso(expiresAtMs) };
}
