import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../kernel/caller.js';
import type { Tx } from '../sql/index.js';
import type { Answer } from './app.js';

/** What was decided for one member of a batch. A member that is refused throws its `Refusal` instead. */
export interface Decision<Change> {
  readonly answer: Answer<unknown>;
  /** What to write for it; absent if nothing changes. */
  readonly change?: Change;
}

/**
 * A write that is decided for any number of members in one transaction; a single call is a batch of one. The members are
 * calls of different users. Each is decided alone:
 *
 * 1. `lock` reads and locks every row that decides one of the members. Every transaction locks in the order queues, concerts,
 *    reservations, places, wallets, seats, and within a table in order of id: batches of any kind, in any process, wait
 *    for each other instead of deadlocking.
 * 2. `decide` decides one member after the other, in order of arrival, with the rows as earlier members have left them.
 *    Undefined: the member is still undecided and becomes part of a later batch.
 * 3. `write` writes the changes of all accepted members, each kind of row in one guarded statement. A guard that does not hold
 *    fails the transaction: it is repeated for each member alone.
 */
export interface BatchedWrite<Input, Locked, Change> {
  /** For logs and metrics. */
  readonly name: string;
  lock(tx: Tx, inputs: readonly Input[]): Promise<Locked>;
  decide(
    tx: Tx,
    locked: Locked,
    input: Input,
  ): Decision<Change> | undefined | Promise<Decision<Change> | undefined>;
  /** Awaits nothing unless it needs the result. */
  write(tx: Tx, changes: readonly Change[]): void | Promise<void>;
}

/** Decides one call together with others of its kind, stores its answer under the `Idempotency-Key` if it has one, and sends it. */
export type CallBatchedWrite<Input> = (
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
  steps: {
    /** Counts the call for the rate limits. A replay is not counted. */
    readonly limit: () => Promise<void>;
    /** Checks what memory knows before the call becomes part of a batch. */
    readonly prepare: () => Promise<Input> | Input;
  },
) => Promise<FastifyReply>;

/** Makes a batched write callable. Call it once per kind of write: calls form batches with others of the same result only. */
export type InBatches = <Input, Locked, Change>(
  write: BatchedWrite<Input, Locked, Change>,
) => CallBatchedWrite<Input>;
