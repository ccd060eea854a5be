/**
 * Idempotency keys: runs a write at most once per user and key, and replays its stored response.
 *
 * The response is stored in the transaction of the work itself, so a stored response means that the work is committed, and
 * without one nothing was done. For a request with a key:
 * - unknown key: run the work, store the response.
 * - known key, same request hash: replay the stored response byte for byte; the work does not run.
 * - known key, different hash: refuse with IDEMPOTENCY_KEY_REUSED.
 * - another transaction stores the same key first (`KeyConflict`): roll back and replay its response.
 *
 * The writes of one user run one at a time (`userQueue`), from the lookup of the key to the commit: concurrent requests of one
 * user, with or without keys, occupy one database connection. Rate limits (`before`) count only work that will run: a
 * replay takes no token and is never refused by an empty bucket.
 *
 * Refusals are stored like successes, except the temporary ones in `NOT_STORED`. It must never store a response whose work was rolled back,
 * nor a 401 or 5xx.
 */
import type { FastifyReply } from 'fastify';
import { assert } from '../../kernel/assert.js';
import type { Caller } from '../../kernel/caller.js';
import { Refusal, type RefusalCode } from '../../kernel/refusal.js';
import type { UserQueue } from '../../platform/rate-limit/index.js';
import type { Reader, Sql, Tx } from '../../platform/sql/index.js';
import type { Answer, Idempotently } from '../../platform/web/index.js';
import { findStoredResponse, storeResponse, type StoredResponse } from './queries.js';
import { PROBLEM_TYPE, toProblem } from '../errors/problems.js';
import { requestHash } from './request-hash.js';

export const IDEMPOTENCY_KEY = '^[A-Za-z0-9_-]{16,64}$';
const KEY = new RegExp(IDEMPOTENCY_KEY);
/** After a conflict the other transaction has committed, so the second attempt finds its response. */
const ATTEMPTS_MAX = 2;
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Temporary refusals: the same request may succeed later, so they are not stored. Refusals of the gate are stored: after a client
 * got one, a delayed duplicate of the request must not succeed.
 */
const NOT_STORED: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'FORBIDDEN',
  'TOO_MANY_REQUESTS',
  'USER_NOT_FOUND',
]);

/** Another transaction has stored a response under the same key; this one is rolled back. */
class KeyConflict extends Error {
  override readonly name = 'KeyConflict';
}

interface Outcome extends StoredResponse {
  readonly isReplay: boolean;
  readonly refusalCode: RefusalCode | null;
}

export function createIdempotency(deps: {
  readonly sql: Sql;
  readonly requireUser: (userId: string, reader: Reader) => Promise<unknown>;
  readonly userQueue: UserQueue;
}): Idempotently {
  const { sql, requireUser, userQueue } = deps;

  async function runWithKey<T>(
    key: string,
    hash: string,
    reply: FastifyReply,
    { userId }: Caller,
    work: (tx: Tx) => Promise<Answer<T>>,
    before: (() => Promise<void> | void) | undefined,
  ): Promise<Outcome> {
    if (before && !(await sql.reader.get(findStoredResponse, [userId, key]))) await before();
    const attempt = () =>
      sql.transaction(async (tx): Promise<Outcome> => {
        const stored = await tx.get(findStoredResponse, [userId, key]);
        if (stored) return replay(stored, hash);
        const outcome = await runWork(tx, reply, hash, work);
        const { status, body } = outcome;
        const written = await tx.exec(storeResponse, [userId, key, hash, status, body, tx.nowMs]);
        if (written === 0) {
          // No row is also written if the user does not exist, for example after the database was restored.
          await requireUser(userId, tx);
          throw new KeyConflict();
        }
        return outcome;
      });
    return retryOnConflict(attempt);
  }

  return async (request, reply, caller, work, before) => {
    const key = request.headers['idempotency-key'];
    if (key === undefined) {
      const answer = await userQueue(caller.userId, async () => {
        await before?.();
        return sql.transaction(work);
      });
      return send(reply, answer);
    }
    // A repeated header arrives as one comma-separated string, which does not match the pattern either.
    if (typeof key !== 'string' || !KEY.test(key))
      throw new Refusal('INVALID_REQUEST', { field: 'Idempotency-Key' });
    const hash = requestHash(request.method, request.url, request.body);
    return sendOutcome(
      reply,
      await userQueue(caller.userId, () => runWithKey(key, hash, reply, caller, work, before)),
    );
  };
}

function replay(stored: StoredResponse, hash: string): Outcome {
  if (stored.requestHash !== hash) throw new Refusal('IDEMPOTENCY_KEY_REUSED');
  return { ...stored, isReplay: true, refusalCode: null };
}

/** Runs the work and serializes its response or refusal into the bytes that are sent now and at every replay. */
async function runWork<T>(
  tx: Tx,
  reply: FastifyReply,
  hash: string,
  work: (tx: Tx) => Promise<Answer<T>>,
): Promise<Outcome> {
  const outcome = { requestHash: hash, isReplay: false };
  try {
    const { status, body } = await tx.withSavepoint(() => work(tx));
    return { ...outcome, status, body: serialize(reply, status, body), refusalCode: null };
  } catch (error) {
    if (!(error instanceof Refusal) || NOT_STORED.has(error.code)) throw error;
    const problem = toProblem(error);
    if (problem.status === 401 || problem.status >= 500) throw error;
    return { ...outcome, status: problem.status, body: JSON.stringify(problem), refusalCode: error.code };
  }
}

/** Uses the response schema of the route, as Fastify does without a key. */
function serialize(reply: FastifyReply, status: number, body: unknown): string {
  if (status === 204) return '';
  const text = reply.code(status).serialize(body);
  assert(typeof text === 'string', 'a stored response must be text');
  return text;
}

async function retryOnConflict(attempt: () => Promise<Outcome>): Promise<Outcome> {
  for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof KeyConflict)) throw error;
    }
  }
  throw new Refusal('IDEMPOTENCY_KEY_IN_FLIGHT');
}

function send<T>(reply: FastifyReply, { status, body }: Answer<T>): FastifyReply {
  return status === 204 ? reply.code(204).send() : reply.code(status).send(body);
}

function sendOutcome(reply: FastifyReply, { status, body, isReplay, refusalCode }: Outcome): FastifyReply {
  if (isReplay) reply.header('idempotency-replayed', 'true');
  if (refusalCode) reply.routeOptions.config.countRefusal?.(refusalCode);
  reply.code(status);
  if (status === 204) return reply.send();
  return reply.type(status < 400 ? JSON_TYPE : PROBLEM_TYPE).send(body);
}
