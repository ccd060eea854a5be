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
 * user, with or without keys, occupy one database connection and are never in one batch. Rate limits count only work that
 * will run: a replay takes no token and is never refused by an empty bucket.
 *
 * Refusals are stored like successes, except the temporary ones. It must never store a response whose work was rolled back,
 * nor a 401 or 5xx.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { assert, assertDefined } from '../../kernel/assert.js';
import { guard } from '../../kernel/guard.js';
import { Refusal, type RefusalCode } from '../../kernel/refusal.js';
import { createBatcher } from '../../platform/batch/index.js';
import type { UserQueue } from '../../platform/rate-limit/index.js';
import type { Reader, Sql, Tx } from '../../platform/sql/index.js';
import type { Answer, BatchedWrite, Idempotently, InBatches } from '../../platform/web/index.js';
import { findStoredResponse, type StoredResponse } from './queries.js';
import { PROBLEM_TYPE } from '../errors/problems.js';
import { requestHash } from './request-hash.js';
import {
  failsEveryCall,
  KeyConflict,
  type Member,
  type MemberKey,
  type Outcome,
  runBatch,
} from './run-batch.js';

export const IDEMPOTENCY_KEY = '^[A-Za-z0-9_-]{16,64}$';
const KEY = new RegExp(IDEMPOTENCY_KEY);
/** After a conflict the other transaction has committed, so the second attempt finds its response. */
const ATTEMPTS_MAX = 2;
/** Calls of one kind that share a transaction. */
const BATCH_MAX = 64;
/** Batches of one kind that run at the same time. On SQLite transactions run one after another. */
const BATCHES_MAX = 3;
const JSON_TYPE = 'application/json; charset=utf-8';

interface Response extends StoredResponse {
  readonly isReplay: boolean;
  readonly refusalCode: RefusalCode | null;
}

/** Runs one call, alone or in a batch. Undecided calls run again. */
type Run<Input> = (member: Member<Input>) => Promise<Outcome>;

interface Writes {
  /** A write in a transaction of its own. */
  readonly idempotently: Idempotently;
  /** A write that shares its transaction with others of its kind. */
  readonly inBatches: InBatches;
}

export function createWrites(deps: {
  readonly sql: Sql;
  readonly requireUser: (userId: string, reader: Reader) => Promise<unknown>;
  readonly userQueue: UserQueue;
}): Writes {
  const { sql, requireUser } = deps;
  const oneAtATime = guard('batch-distinct-users', deps.userQueue);

  async function runWithKey<Input>(
    userId: string,
    key: MemberKey,
    limit: (() => Promise<void> | void) | undefined,
    prepare: () => Promise<Input> | Input,
    run: Run<Input>,
  ): Promise<Response> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const stored = await sql.reader.get(findStoredResponse, [userId, key.text]);
      if (stored) return replay(stored, key.requestHash);
      if (attempt === 1) await limit?.();
      try {
        const outcome = await prepareAndRun({ userId, key }, prepare, run);
        assert(outcome.kind === 'stored', 'a call with a key has a stored response');
        return { ...outcome.response, isReplay: false };
      } catch (error) {
        if (!(error instanceof KeyConflict)) throw error;
      }
    }
    // The response is also not stored if the user does not exist, for example after the database was restored.
    await requireUser(userId, sql.reader);
    throw new Refusal('IDEMPOTENCY_KEY_IN_FLIGHT');
  }

  /** A refusal of `prepare` is stored like one of the work. */
  async function prepareAndRun<Input>(
    member: Omit<Member<Input>, 'input'>,
    prepare: () => Promise<Input> | Input,
    run: Run<Input>,
  ): Promise<Outcome> {
    let input: Input;
    try {
      input = await prepare();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const refuse = (): Promise<never> => Promise.reject(error);
      return runAlone({ ...member, input: refuse });
    }
    return run({ ...member, input });
  }

  async function runAlone(member: Member<(tx: Tx) => Promise<Answer<unknown>>>): Promise<Outcome> {
    const [outcome] = await runBatch(sql, SINGLE_WRITE, [member]);
    if (outcome instanceof Error) throw outcome;
    return assertDefined(outcome, 'a batch of one has an outcome');
  }

  const inBatches: InBatches = (write) => {
    const run = createBatchedRun(sql, write);
    return async (request, reply, { userId }, { limit, prepare }) => {
      const key = readKey(request, reply);
      if (key)
        return sendResponse(
          reply,
          await oneAtATime(userId, () => runWithKey(userId, key, limit, prepare, run)),
        );
      const answer = await oneAtATime(userId, async () => {
        await limit();
        const outcome = await run({ userId, key, input: await prepare() });
        assert(outcome.kind === 'answer', 'a call without a key has no stored response');
        return outcome.answer;
      });
      return send(reply, answer);
    };
  };

  const idempotently: Idempotently = async (request, reply, { userId }, work, before) => {
    const key = readKey(request, reply);
    if (key)
      return sendResponse(
        reply,
        await oneAtATime(userId, () => runWithKey(userId, key, before, () => work, runAlone)),
      );
    const answer = await oneAtATime(userId, async () => {
      await before?.();
      return sql.transaction(work);
    });
    return send(reply, answer);
  };

  return { idempotently, inBatches };
}

/** The work of `idempotently` as a batch of one. If it is refused, its writes are rolled back. */
const SINGLE_WRITE: BatchedWrite<(tx: Tx) => Promise<Answer<unknown>>, undefined, never> = {
  name: 'single',
  lock: () => Promise.resolve(undefined),
  decide: async (tx, _locked, work) => ({ answer: await tx.withSavepoint(() => work(tx)) }),
  write: () => undefined,
};

function createBatchedRun<Input, Locked, Change>(
  sql: Sql,
  write: BatchedWrite<Input, Locked, Change>,
): Run<Input> {
  const batched = createBatcher<Member<Input>, Outcome>({
    run: (_kind, members) => runBatch(sql, write, members),
    batchSize: (waiting) => Math.min(BATCH_MAX, waiting),
    concurrentMax: sql.isClustered ? BATCHES_MAX : 1,
    failsEveryCall,
  });
  return async (member) => {
    for (;;) {
      const outcome = await batched(write.name, member);
      if (outcome.kind !== 'undecided') return outcome;
    }
  };
}

function readKey(request: FastifyRequest, reply: FastifyReply): MemberKey | undefined {
  const text = request.headers['idempotency-key'];
  if (text === undefined) return undefined;
  // A repeated header arrives as one comma-separated string, which does not match the pattern either.
  if (typeof text !== 'string' || !KEY.test(text))
    throw new Refusal('INVALID_REQUEST', { field: 'Idempotency-Key' });
  return {
    text,
    requestHash: requestHash(request.method, request.url, request.body),
    serialize: ({ status, body }) => serialize(reply, status, body),
  };
}

function replay(stored: StoredResponse, hash: string): Response {
  if (stored.requestHash !== hash) throw new Refusal('IDEMPOTENCY_KEY_REUSED');
  return { ...stored, isReplay: true, refusalCode: null };
}

/** Uses the response schema of the route, as Fastify does without a key. */
function serialize(reply: FastifyReply, status: number, body: unknown): string {
  if (status === 204) return '';
  const text = reply.code(status).serialize(body);
  assert(typeof text === 'string', 'a stored response must be text');
  return text;
}

function send<T>(reply: FastifyReply, { status, body }: Answer<T>): FastifyReply {
  return status === 204 ? reply.code(204).send() : reply.code(status).send(body);
}

function sendResponse(reply: FastifyReply, { status, body, isReplay, refusalCode }: Response): FastifyReply {
  if (isReplay) reply.header('idempotency-replayed', 'true');
  if (refusalCode) reply.routeOptions.config.countRefusal?.(refusalCode);
  reply.code(status);
  if (status === 204) return reply.send();
  return reply.type(status < 400 ? JSON_TYPE : PROBLEM_TYPE).send(body);
}
