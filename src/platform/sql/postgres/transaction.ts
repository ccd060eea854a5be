/**
 * One transaction on one connection, in READ COMMITTED.
 *
 * States: new → begun → commit sent → committed, rolled back or unknown. `BEGIN` is sent with the first statement, so a
 * transaction that is refused before its first statement costs nothing. Statements issued in one tick travel in one
 * pipeline; if one fails, the server skips the rest, and every later statement reports that first failure.
 *
 * Published changes are written last, when every row is locked, so changes of one row get ids in commit order. `commit`
 * throws `OutcomeUnknown` if `COMMIT` got no response; if it throws anything else, nothing was stored.
 */
import { InvariantViolation, assertDefined } from '../../../kernel/assert.js';
import type { Clock } from '../../../kernel/time.js';
import {
  type BatchColumns,
  type BatchRow,
  type BatchStatement,
  type Json,
  OutcomeUnknown,
  RowCountMismatch,
  type SqlParams,
  type Statement,
  type Topic,
  type Tx,
} from '../port.js';
import type { QueryResult } from './pipeline.js';
import type { PostgresConnection } from './connection.js';
import { ConnectionLost, isAborted, isConflict, isPreparedElsewhere } from './errors.js';
import { batchParams, batchTextOf, isRowCountMismatch, postgresDialect, toPostgres } from './dialect.js';

/** As many as a batch publishes. */
const CHANGES_PER_ROW_MAX = 64;
/** One row for changes of one topic that were published in succession: an array. */
const INSERT_CHANGES = `INSERT INTO changes (topic, change)
  SELECT t, c FROM unnest(CAST($1 AS TEXT[]), CAST($2 AS TEXT[])) WITH ORDINALITY AS x(t, c, n) ORDER BY n`;

interface Publication {
  readonly topic: string;
  readonly changes: readonly Json[];
}

const textCache = new WeakMap<object, string>();
const publishingTextCache = new WeakMap<object, string>();

function memoized(cache: WeakMap<object, string>, query: object, build: () => string): string {
  const cached = cache.get(query);
  if (cached !== undefined) return cached;
  const text = build();
  cache.set(query, text);
  return text;
}

const textOf = <P extends SqlParams, Row>(query: Statement<P, Row>): string =>
  memoized(textCache, query, () => query.text(postgresDialect));

/** The same statement, extended to publish the rows it returns. */
const publishingTextOf = <P extends SqlParams, Row>(topic: string, command: Statement<P, Row>): string =>
  memoized(
    publishingTextCache,
    command,
    () => `WITH made AS (${command.text(postgresDialect)})
      INSERT INTO changes (topic, change) SELECT '${topic}', CAST(json_build_array(row_to_json(made)) AS TEXT) FROM made`,
  );

export const send = <P extends SqlParams, Row>(
  connection: PostgresConnection,
  query: Statement<P, Row>,
  params: P,
): Promise<QueryResult> => connection.query(query.name, textOf(query), params.map(toPostgres));

// The only cast from the driver's rows to the row type of a statement.
export const rowsOf = <Row>({ rows }: QueryResult): Row[] => rows as Row[];

export class PostgresTx implements Tx {
  readonly #clock: Clock;
  #nowMs: number | undefined;
  readonly #connection: PostgresConnection;
  #publications: Publication[] = [];
  #effects: (() => void)[] = [];
  #hasBegun = false;
  #hasPublishedRows = false;
  /** Set once the commit is sent: the results of the publications and of `COMMIT`. */
  #commitResult: Promise<[PromiseSettledResult<unknown>, PromiseSettledResult<QueryResult>]> | undefined;
  #savepointCount = 0;
  /** The first failed statement that no savepoint has rolled back. */
  #failure: unknown;

  constructor(connection: PostgresConnection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  get nowMs(): number {
    return (this.#nowMs ??= this.#clock());
  }

  async all<P extends SqlParams, Row>(query: Statement<P, Row>, params: P): Promise<Row[]> {
    return rowsOf(await this.#send(query, params));
  }

  async get<P extends SqlParams, Row>(query: Statement<P, Row>, params: P): Promise<Row | undefined> {
    return (await this.all(query, params))[0];
  }

  async exec<P extends SqlParams>(command: Statement<P, never>, params: P): Promise<number> {
    return (await this.#send(command, params)).rowCount ?? 0;
  }

  execDeferred<P extends SqlParams>(command: Statement<P, never>, params: P): void {
    ignoreRejection(this.#send(command, params));
  }

  writeBatch<Columns extends BatchColumns>(
    command: BatchStatement<Columns>,
    rows: readonly BatchRow<Columns>[],
  ): void {
    if (rows.length === 0) return;
    this.#begin();
    const text = memoized(textCache, command, () => batchTextOf(command));
    const written = this.#connection.query(command.name, text, batchParams(command, rows));
    ignoreRejection(
      this.#recordFailure(
        written.catch((error: unknown) => {
          throw isRowCountMismatch(error) ? new RowCountMismatch(command.name) : error;
        }),
      ),
    );
  }

  async lock<P extends SqlParams, Row>(query: Statement<P, Row>, params: P): Promise<void> {
    await this.#send(query, params);
  }

  async withSavepoint<T>(work: () => Promise<T>): Promise<T> {
    const publications = [...this.#publications];
    const effects = [...this.#effects];
    this.#begin();
    // Not awaited: if it fails, the next statement reports it.
    const savepoint = `undoable_${(this.#savepointCount += 1)}`;
    ignoreRejection(this.#recordFailure(this.#connection.command(`SAVEPOINT ${savepoint}`)));
    try {
      return await work();
    } catch (error) {
      this.#publications = publications;
      this.#effects = effects;
      if (!this.#connection.isLost) await this.#rollBackTo(savepoint);
      this.#failure = undefined;
      throw error;
    }
  }

  publish<Change extends Json>({ name }: Topic<Change>, change: Change): void {
    const last = this.#publications.at(-1);
    if (last?.topic !== name || last.changes.length === CHANGES_PER_ROW_MAX)
      this.#publications.push({ topic: name, changes: [change] });
    // Replaced, not changed: `withSavepoint` may keep the array before it.
    else this.#publications.splice(-1, 1, { topic: name, changes: [...last.changes, change] });
  }

  async publishRows<P extends SqlParams, Change extends Json>(
    topic: Topic<Change>,
    command: Statement<P, Change>,
    params: P,
  ): Promise<void> {
    this.#hasPublishedRows = true;
    this.#begin();
    await this.#recordFailure(
      this.#connection.query(
        `${command.name}_publishing`,
        publishingTextOf(topic.name, command),
        params.map(toPostgres),
      ),
    );
  }

  afterCommit(effect: () => void): void {
    this.#effects.push(effect);
  }

  get hasPublished(): boolean {
    return this.#hasPublishedRows || this.#publications.length > 0;
  }

  pipelineCommit(): void {
    if (!this.#hasBegun) return;
    // One pipeline: if the publications fail, the server skips the commit.
    this.#commitResult ??= Promise.allSettled([
      this.#insertPublications(),
      this.#connection.command('COMMIT'),
    ]);
  }

  async commit(): Promise<void> {
    if (!this.#hasBegun) return;
    // The commit was never sent, so nothing was stored.
    if (!this.#commitResult && this.#connection.isLost)
      throw new ConnectionLost('connection lost before the commit');
    if (this.#failure) throw await this.rollBack(this.#failure);
    this.pipelineCommit();
    const [published, committed] = await assertDefined(this.#commitResult, 'the commit was sent');
    if (committed.status === 'fulfilled' && committed.value.command === 'COMMIT' && !this.#failure) return;
    const failure: unknown =
      this.#failure ?? (published.status === 'rejected' ? published.reason : undefined);
    throw await this.#commitFailure(committed, failure);
  }

  /** Called when the work has failed. Returns the error to report, which differs if the commit was already sent. */
  async rollBack(error: unknown): Promise<unknown> {
    if (!this.#hasBegun) return error;
    if (this.#commitResult) {
      const [, committed] = await this.#commitResult;
      return this.#commitFailure(committed, error);
    }
    await this.#rollBack();
    return error;
  }

  /** Returns the error to report for a commit that was sent and did not, or possibly did not, take effect. */
  async #commitFailure(committed: PromiseSettledResult<QueryResult>, failure: unknown): Promise<unknown> {
    // The server answers the COMMIT of a failed transaction with ROLLBACK.
    if (committed.status === 'fulfilled')
      return failure ?? new InvariantViolation('commit was rolled back without a failed statement');
    const reason: unknown = committed.reason;
    if (isConflict(reason) || isPreparedElsewhere(reason)) return reason;
    if (isAborted(reason)) {
      await this.#rollBack();
      return failure ?? reason;
    }
    await this.#connection.close();
    return new OutcomeUnknown('connection lost during the commit', { cause: reason });
  }

  /** If this fails, a statement that was not awaited has failed; the whole transaction fails with its error. */
  async #rollBackTo(savepoint: string): Promise<void> {
    try {
      await this.#connection.command(`ROLLBACK TO ${savepoint}`);
    } catch (error) {
      throw this.#failure ?? error;
    }
  }

  async #rollBack(): Promise<void> {
    if (this.#connection.isLost) return;
    await this.#connection.command('ROLLBACK').catch(() => this.#connection.close());
  }

  #insertPublications(): Promise<QueryResult> | undefined {
    if (this.#publications.length === 0) return undefined;
    this.#begin();
    return this.#connection.query('insert_changes', INSERT_CHANGES, [
      this.#publications.map(({ topic }) => topic),
      this.#publications.map(({ changes }) => JSON.stringify(changes)),
    ]);
  }

  /** Call it after the commit, when the published changes have been delivered. */
  runEffects(): void {
    for (const effect of this.#effects) effect();
  }

  #send<P extends SqlParams, Row>(query: Statement<P, Row>, params: P): Promise<QueryResult> {
    this.#begin();
    return this.#recordFailure(send(this.#connection, query, params));
  }

  /** A statement after a failed one reports only that the transaction is aborted; replace that by the first failure. */
  async #recordFailure(result: Promise<QueryResult>): Promise<QueryResult> {
    try {
      return await result;
    } catch (error) {
      this.#failure ??= error;
      throw isAborted(error) ? this.#failure : error;
    }
  }

  #begin(): void {
    if (this.#commitResult) throw new InvariantViolation('statement after pipelineCommit');
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    ignoreRejection(this.#recordFailure(this.#connection.begin()));
  }
}

function ignoreRejection(promise: Promise<unknown>): void {
  promise.catch(() => undefined);
}
