/**
 * Which tokens were revoked before they expire, in the memory of each process: a request is checked without the database.
 *
 * - All sessions of an account: every token carries the account's `credential_version` at the time of sign-in, and is
 *   revoked once the version is higher. Versions instead of times: no clock, and exact within a millisecond.
 * - All tokens of an erased account, of which the answer says that the account no longer exists.
 * - One session: its id is revoked until its access token would have expired.
 *
 * Revocations are rows, published on the change feed, loaded at the start and after a gap of the feed. Several processes
 * learn of one before they answer a request that arrived after it (the request barrier).
 *
 * A revocation is forgotten when no token that it revokes can still be valid: after the lifetime of access tokens, and for
 * an account only once it has no place in any queue, because queue tokens live longer and carry the version, too.
 */
import { guard } from '../kernel/guard.js';
import { Refusal } from '../kernel/refusal.js';
import { HOUR_MS } from '../kernel/time.js';
import { type Sql, topic, type Tx } from '../platform/sql/index.js';
import { ACCESS_LIFETIME_MS } from './access-tokens.js';
import {
  type CredentialChange,
  deleteExpiredSessions,
  forgetCredentialChanges,
  insertRevokedSession,
  listCredentialChanges,
  listOldCredentialChanges,
  listRevokedSessions,
} from './queries.js';

/** Each revocation follows a sign-in, so far fewer happen within the lifetime of a token. About 150 MB. */
const REVOCATIONS_MAX = 1_000_000;
const PURGE_BATCH_MAX = 1000;
/** More than the clocks of several processes differ. */
const CLOCK_MARGIN_MS = HOUR_MS;

/** The version of an account's credentials was raised: tokens with a lower version are revoked. */
export const credentialsChanged = topic<CredentialChange>('credentials-changed');
const credentialChangeForgotten = topic<{ readonly userId: string; readonly credentialVersion: number }>(
  'credential-change-forgotten',
);
const sessionRevoked = topic<{ readonly sessionId: string; readonly expiresAtMs: number }>('session-revoked');

/** Of these users, those who have a place in a queue, live or ended and not yet purged. */
export type FindPlaceOwners = (userIds: readonly string[]) => Promise<ReadonlySet<string>>;

/** What a token says about its session; a queue token names none. */
export interface TokenIdentity {
  readonly userId: string;
  readonly credentialVersion: number;
  readonly sessionId?: string | undefined;
}

export interface Revocations {
  isRevoked(token: TokenIdentity): boolean;
  isErased(userId: string): boolean;
  /** Refuses with UNAVAILABLE if this process cannot remember another revocation. */
  requireCapacity(): void;
  revokeSession(tx: Tx, sessionId: string, userId: string): Promise<void>;
  load(): Promise<void>;
  purge(findPlaceOwners: FindPlaceOwners): Promise<void>;
}

export function createRevocations(sql: Sql): Revocations {
  const versions = new Map<string, number>();
  const erased = new Set<string>();
  const sessions = new Map<string, number>();

  const isOlder = guard('token-version', (version: number, current: number) => version < current);

  function raise({ userId, credentialVersion, erasedAtMs }: CredentialChange): void {
    if (erasedAtMs !== null) erased.add(userId);
    // A change may arrive that was already loaded, so an older version never replaces a newer one.
    versions.set(userId, Math.max(credentialVersion, versions.get(userId) ?? 0));
  }

  sql.subscribe(credentialsChanged, raise);
  sql.subscribe(credentialChangeForgotten, ({ userId, credentialVersion }) => {
    if (versions.get(userId) !== credentialVersion) return;
    versions.delete(userId);
    erased.delete(userId);
  });
  sql.subscribe(sessionRevoked, ({ sessionId, expiresAtMs }) => sessions.set(sessionId, expiresAtMs));

  /** Only adds: what this process knows stays true until it is purged. */
  async function load(): Promise<void> {
    for (const change of await sql.reader.all(listCredentialChanges, [])) raise(change);
    for (const { sessionId, expiresAtMs } of await sql.reader.all(listRevokedSessions, [sql.nowMs()]))
      sessions.set(sessionId, expiresAtMs);
  }
  sql.onFeedGap(load);

  async function purgeSessions(): Promise<void> {
    const beforeMs = sql.nowMs() - CLOCK_MARGIN_MS;
    for (const [sessionId, expiresAtMs] of sessions) if (expiresAtMs <= beforeMs) sessions.delete(sessionId);
    let deleted = PURGE_BATCH_MAX;
    while (deleted === PURGE_BATCH_MAX)
      deleted = await sql.transaction((tx) => tx.exec(deleteExpiredSessions, [beforeMs, PURGE_BATCH_MAX]));
  }

  async function purgeCredentialChanges(findPlaceOwners: FindPlaceOwners): Promise<void> {
    const beforeMs = sql.nowMs() - ACCESS_LIFETIME_MS - CLOCK_MARGIN_MS;
    for (let afterId = ''; ;) {
      const batch = await sql.reader.all(listOldCredentialChanges, [beforeMs, afterId, PURGE_BATCH_MAX]);
      const userIds = batch.map(({ userId }) => userId);
      const owners = await findPlaceOwners(userIds);
      const forgotten = userIds.filter((userId) => !owners.has(userId));
      if (forgotten.length > 0)
        await sql.transaction((tx) =>
          tx.publishRows(credentialChangeForgotten, forgetCredentialChanges, [forgotten, beforeMs]),
        );
      const last = userIds.at(-1);
      if (last === undefined || batch.length < PURGE_BATCH_MAX) return;
      afterId = last;
    }
  }

  return {
    isRevoked: ({ userId, credentialVersion, sessionId }) =>
      isOlder(credentialVersion, versions.get(userId) ?? 0) ||
      (sessionId !== undefined && sessions.has(sessionId)),

    isErased: (userId) => erased.has(userId),

    requireCapacity() {
      if (versions.size + sessions.size >= REVOCATIONS_MAX) throw new Refusal('UNAVAILABLE');
    },

    async revokeSession(tx, sessionId, userId) {
      const expiresAtMs = tx.nowMs + ACCESS_LIFETIME_MS;
      await tx.exec(insertRevokedSession, [sessionId, userId, expiresAtMs]);
      tx.publish(sessionRevoked, { sessionId, expiresAtMs });
    },

    load,
    async purge(findPlaceOwners) {
      await purgeSessions();
      await purgeCredentialChanges(findPlaceOwners);
    },
  };
}
