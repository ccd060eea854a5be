/**
 * Runs a batch of calls of one kind in one transaction. Each member gets its own outcome; the responses that belong to
 * idempotency keys are stored in the same transaction, so a stored response means that its work is committed.
 *
 * A failure stays contained: if the transaction fails and the store is available, it is repeated for each member alone, and
 * only the member at fault fails. If the connection is lost during the commit, the outcome is unknown for all members.
 */
import { guard } from '../../kernel/guard.js';
import { Refusal, type RefusalCode } from '../../kernel/refusal.js';
import {
  OutcomeUnknown,
  RowCountMismatch,
  type Sql,
  StoreContention,
  StoreUnavailable,
  type Tx,
} from '../../platform/sql/index.js';
import type { Answer, BatchedWrite } from '../../platform/web/index.js';
import { toProblem } from '../errors/problems.js';
import { storeResponses, type StoredResponse } from './queries.js';

export interface Member<Input> {
  readonly userId: string;
  readonly input: Input;
  readonly key: MemberKey | undefined;
}

export interface MemberKey {
  readonly text: string;
  readonly requestHash: string;
  /** The bytes that are sent now and at every replay. */
  readonly serialize: (answer: Answer<unknown>) => string;
}

/** A response with its stored bytes. */
export interface KeyedOutcome extends StoredResponse {
  readonly refusalCode: RefusalCode | null;
}

export type Outcome =
  | { readonly kind: 'answer'; readonly answer: Answer<unknown> }
  | { readonly kind: 'stored'; readonly response: KeyedOutcome }
  | { readonly kind: 'undecided' };

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
export class KeyConflict extends Error {
  override readonly name = 'KeyConflict';
}

/** The store is unavailable: every other call would fail, too. */
export const failsEveryCall = (error: unknown): boolean =>
  error instanceof StoreUnavailable &&
  !(error instanceof OutcomeUnknown) &&
  !(error instanceof StoreContention);

/** Returns one outcome per member, in their order. */
export async function runBatch<Input, Locked, Change>(
  sql: Sql,
  write: BatchedWrite<Input, Locked, Change>,
  members: readonly Member<Input>[],
): Promise<(Outcome | Error)[]> {
  try {
    return await sql.transaction((tx) => decideAndWrite(tx, write, members));
  } catch (error) {
    if (failsEveryCall(error) || error instanceof OutcomeUnknown) throw error;
    if (members.length === 1) throw isKeyConflict(error) ? new KeyConflict() : error;
    return Promise.all(members.map((member) => runAlone(sql, write, member)));
  }
}

async function runAlone<Input, Locked, Change>(
  sql: Sql,
  write: BatchedWrite<Input, Locked, Change>,
  member: Member<Input>,
): Promise<Outcome | Error> {
  try {
    const [outcome] = await runBatch(sql, write, [member]);
    return outcome ?? new KeyConflict();
  } catch (error) {
    return error instanceof Error ? error : new Error('a member of a batch failed', { cause: error });
  }
}

const isKeyConflict = (error: unknown): boolean =>
  error instanceof RowCountMismatch && error.statement === storeResponses.name;

async function decideAndWrite<Input, Locked, Change>(
  tx: Tx,
  write: BatchedWrite<Input, Locked, Change>,
  members: readonly Member<Input>[],
): Promise<(Outcome | Error)[]> {
  const locked = await write.lock(
    tx,
    members.map(({ input }) => input),
  );
  const outcomes: (Outcome | Error)[] = [];
  const changes: Change[] = [];
  for (const member of members) {
    try {
      const decision = await write.decide(tx, locked, member.input);
      if (decision?.change !== undefined) changes.push(decision.change);
      outcomes.push(decision ? toOutcome(member, decision.answer) : { kind: 'undecided' });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      outcomes.push(toRefusedOutcome(member, error));
    }
  }
  const others = members.length - changes.length;
  const { accepted } = guard('batch-keeps-accepted', { accepted: changes, others });
  if (accepted.length > 0) await write.write(tx, accepted);
  storeAll(tx, members, outcomes);
  tx.pipelineCommit();
  return outcomes;
}

const toOutcome = ({ key }: Member<unknown>, answer: Answer<unknown>): Outcome =>
  key
    ? {
        kind: 'stored',
        response: {
          requestHash: key.requestHash,
          status: answer.status,
          body: key.serialize(answer),
          refusalCode: null,
        },
      }
    : { kind: 'answer', answer };

function toRefusedOutcome({ key }: Member<unknown>, refusal: Refusal): Outcome | Refusal {
  if (!key || NOT_STORED.has(refusal.code)) return refusal;
  const problem = toProblem(refusal);
  const { status } = problem;
  if (status === 401 || status >= 500) return refusal;
  const { requestHash } = key;
  return {
    kind: 'stored',
    response: { requestHash, status, body: JSON.stringify(problem), refusalCode: refusal.code },
  };
}

function storeAll(tx: Tx, members: readonly Member<unknown>[], outcomes: readonly (Outcome | Error)[]): void {
  const rows = members.flatMap(({ userId, key }, index) => {
    const outcome = outcomes[index];
    if (!key || !outcome || outcome instanceof Error || outcome.kind !== 'stored') return [];
    const { requestHash, status, body } = outcome.response;
    return [
      { user_id: userId, key: key.text, request_hash: requestHash, status, body, created_at: tx.nowMs },
    ];
  });
  // In order of the users: two processes that store the same keys wait for each other instead of deadlocking.
  rows.sort((a, b) => (a.user_id < b.user_id ? -1 : 1));
  if (rows.length > 0) tx.writeBatch(storeResponses, rows);
}
