import type { FastifyReply } from 'fastify';
import { assert } from '../../kernel/assert.js';
import { Refusal, type RefusalCode } from '../../kernel/refusal.js';
import type { Reader, Sql, Tx } from '../../platform/sql/index.js';
import type { Answer, Idempotently } from '../../platform/web/index.js';
import { findStoredResponse, storeResponse, type StoredResponse } from './queries.js';
import { PROBLEM_TYPE, toProblem } from '../errors/problems.js';
import { requestHash } from './request-hash.js';

export const IDEMPOTENCY_KEY = '^[A-Za-z0-9_-]{16,64}$';
const KEY = new RegExp(IDEMPOTENCY_KEY);
/** A rival with the same key has committed by the time we are overtaken, so the second try finds its answer. */
const TRIES_MAX = 2;
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Not outcomes of the work but of the moment: the same request may well be let in later. What the gate says is an outcome:
 * whoever was told that they may not must not find later that an earlier try, slow on its way, went through.
 */
const NOT_STORED: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'FORBIDDEN',
  'TOO_MANY_REQUESTS',
  'USER_NOT_FOUND',
]);

/** Another transaction kept its answer under the same key first; ours is undone. */
class KeyConflict extends Error {
  override readonly name = 'Overtaken';
}

interface Outcome extends StoredResponse {
  readonly isReplay: boolean;
  readonly refusalCode: RefusalCode | null;
}

export function createIdempotency(deps: {
  readonly sql: Sql;
  readonly requireUser: (userId: string, reader: Reader) => Promise<unknown>;
}): Idempotently {
  const { sql, requireUser } = deps;
  return async (request, reply, caller, work, before) => {
    const key = request.headers['idempotency-key'];
    if (key === undefined) {
      await before?.();
      return send(reply, await sql.transaction(work));
    }
    // A repeated header arrives as one text with a comma in it, and is refused here like any other malformed key.
    if (typeof key !== 'string' || !KEY.test(key))
      throw new Refusal('INVALID_REQUEST', { field: 'Idempotency-Key' });
    const hash = requestHash(request.method, request.url, request.body);
    if (before && !(await sql.reader.get(findStoredResponse, [caller.userId, key]))) await before();
    const attempt = () =>
      sql.transaction(async (tx): Promise<Outcome> => {
        const kept = await tx.get(findStoredResponse, [caller.userId, key]);
        if (kept) return replayOf(kept, hash);
        const outcome = await outcomeOf(tx, reply, hash, work);
        const written = await tx.exec(storeResponse, [
          caller.userId,
          key,
          hash,
          outcome.status,
          outcome.body,
          tx.nowMs,
        ]);
        if (written === 0) {
          // A token may outlive its user's database: for nobody nothing is kept.
          await requireUser(caller.userId, tx);
          throw new KeyConflict();
        }
        return outcome;
      });
    return sendOutcome(reply, await retryOnConflict(attempt));
  };
}

function replayOf(kept: StoredResponse, hash: string): Outcome {
  if (kept.requestHash !== hash) throw new Refusal('IDEMPOTENCY_KEY_REUSED');
  return { ...kept, isReplay: true, refusalCode: null };
}

/** Runs the work and puts its answer, or its refusal, into the bytes that are sent now and at every replay. */
async function outcomeOf<T>(
  tx: Tx,
  reply: FastifyReply,
  hash: string,
  work: (tx: Tx) => Promise<Answer<T>>,
): Promise<Outcome> {
  const outcome = { requestHash: hash, isReplay: false };
  try {
    const { status, body } = await tx.withSavepoint(() => work(tx));
    return { ...outcome, status, body: serialized(reply, status, body), refusalCode: null };
  } catch (error) {
    if (!(error instanceof Refusal) || NOT_STORED.has(error.code)) throw error;
    const problem = toProblem(error);
    // Nor is it one that the credential was none: the same wish with the right one is another.
    if (problem.status === 401 || problem.status >= 500) throw error;
    return { ...outcome, status: problem.status, body: JSON.stringify(problem), refusalCode: error.code };
  }
}

/** As the route itself would say it: by the schema of its response. */
function serialized(reply: FastifyReply, status: number, body: unknown): string {
  if (status === 204) return '';
  const text = reply.code(status).serialize(body);
  assert(typeof text === 'string', 'a kept answer must be text');
  return text;
}

async function retryOnConflict(attempt: () => Promise<Outcome>): Promise<Outcome> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
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
