import { InvariantViolation, assertDefined } from '../../../kernel/assert.js';
import type { Clock } from '../../../kernel/time.js';
import { type Json, OutcomeUnknown, type SqlParam, type Statement, type Topic, type Tx } from '../port.js';
import type { QueryResult } from './pipeline.js';
import type { PostgresConnection } from './connection.js';
import { ConnectionLost, isAborted, isConflict, isPreparedElsewhere, StaleTime } from './errors.js';
import { postgresDialect, toPostgres } from './dialect.js';

/** Shorter than anybody could tell, longer than a transaction takes that nobody keeps waiting. */
const STALE_TIME_MS = 200;
const INSERT_CHANGES = `INSERT INTO changes (topic, change)
  SELECT t, c FROM unnest(CAST($1 AS TEXT[]), CAST($2 AS TEXT[])) WITH ORDINALITY AS x(t, c, n) ORDER BY n`;

interface Publication {
  readonly topic: string;
  readonly change: string;
}

/** Texts in PostgreSQL's words, each built once. */
const texts = new WeakMap<object, string>();
const publishingTexts = new WeakMap<object, string>();

function memoized(known: WeakMap<object, string>, query: object, build: () => string): string {
  const found = known.get(query);
  if (found !== undefined) return found;
  const text = build();
  known.set(query, text);
  return text;
}

const textOf = <Params extends readonly SqlParam[], Row>(query: Statement<Params, Row>): string =>
  memoized(texts, query, () => query.text(postgresDialect));

/** The same, and the rows it makes are announced under that topic. */
const publishingTextOf = <Params extends readonly SqlParam[], Row>(
  topic: string,
  command: Statement<Params, Row>,
): string =>
  memoized(
    publishingTexts,
    command,
    () => `WITH made AS (${command.text(postgresDialect)})
      INSERT INTO changes (topic, change) SELECT '${topic}', CAST(row_to_json(made) AS TEXT) FROM made`,
  );

export const send = <Params extends readonly SqlParam[], Row>(
  connection: PostgresConnection,
  query: Statement<Params, Row>,
  params: Params,
): Promise<QueryResult> => connection.query(query.name, textOf(query), params.map(toPostgres));

// The statement's own type says what its rows are; this is the one place that takes its word for it.
export const rowsOf = <Row>({ rows }: QueryResult): Row[] => rows as Row[];

export class PostgresTx implements Tx {
  readonly #clock: Clock;
  #nowMs: number | undefined;
  readonly #connection: PostgresConnection;
  #published: Publication[] = [];
  #after: (() => void)[] = [];
  #hasBegun = false;
  #hasPublishedRows = false;
  #commitResult: Promise<[PromiseSettledResult<unknown>, PromiseSettledResult<QueryResult>]> | undefined;
  #attempts = 0;
  /** The first fault since the last that was undone. */
  #failure: unknown;

  constructor(connection: PostgresConnection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  /** Read when it is first asked for, which is after the locks that were waited for before. */
  get nowMs(): number {
    return (this.#nowMs ??= this.#clock());
  }

  assertFreshTime(): void {
    if (this.#clock() - this.nowMs > STALE_TIME_MS)
      throw new StaleTime('another time than when it was asked for');
  }

  async all<Params extends readonly SqlParam[], Row>(
    query: Statement<Params, Row>,
    params: Params,
  ): Promise<Row[]> {
    return rowsOf(await this.#send(query, params));
  }

  async get<Params extends readonly SqlParam[], Row>(
    query: Statement<Params, Row>,
    params: Params,
  ): Promise<Row | undefined> {
    return (await this.all(query, params))[0];
  }

  async exec<Params extends readonly SqlParam[]>(
    command: Statement<Params, never>,
    params: Params,
  ): Promise<number> {
    return (await this.#send(command, params)).rowCount ?? 0;
  }

  execDeferred<Params extends readonly SqlParam[]>(command: Statement<Params, never>, params: Params): void {
    ignoreRejection(this.#send(command, params));
  }

  async lock<Params extends readonly SqlParam[], Row>(
    query: Statement<Params, Row>,
    params: Params,
  ): Promise<void> {
    await this.#send(query, params);
  }

  async withSavepoint<T>(work: () => Promise<T>): Promise<T> {
    const announced = [...this.#published];
    const after = [...this.#after];
    this.#begin();
    // Not waited for: what fails here fails the statement that follows.
    const savepoint = `undoable_${(this.#attempts += 1)}`;
    ignoreRejection(this.#recordFailure(this.#connection.command(`SAVEPOINT ${savepoint}`)));
    try {
      return await work();
    } catch (error) {
      this.#published = announced;
      this.#after = after;
      if (!this.#connection.isLost) await this.#rollBackTo(savepoint);
      this.#failure = undefined;
      throw error;
    }
  }

  publish<Change extends Json>({ name }: Topic<Change>, change: Change): void {
    this.#published.push({ topic: name, change: JSON.stringify(change) });
  }

  async publishRows<Params extends readonly SqlParam[], Change extends Json>(
    about: Topic<Change>,
    command: Statement<Params, Change>,
    params: Params,
  ): Promise<void> {
    this.#hasPublishedRows = true;
    this.#begin();
    await this.#recordFailure(
      this.#connection.query(
        `${command.name}_announcing`,
        publishingTextOf(about.name, command),
        params.map(toPostgres),
      ),
    );
  }

  afterCommit(effect: () => void): void {
    this.#after.push(effect);
  }

  get hasPublished(): boolean {
    return this.#hasPublishedRows || this.#published.length > 0;
  }

  pipelineCommit(): void {
    if (!this.#hasBegun) return;
    // Sent together: if the first fails, the server skips the second.
    this.#commitResult ??= Promise.allSettled([this.#publishAll(), this.#connection.command('COMMIT')]);
  }

  async commit(): Promise<void> {
    if (!this.#hasBegun) return;
    // Nothing can be sent on it any more: what was never committed certainly did not happen.
    if (!this.#commitResult && this.#connection.isLost)
      throw new ConnectionLost('the connection broke before the commit');
    if (this.#failure) throw await this.rollBack(this.#failure);
    this.pipelineCommit();
    const [announced, committed] = await assertDefined(this.#commitResult, 'an end');
    if (committed.status === 'fulfilled' && committed.value.command === 'COMMIT' && !this.#failure) return;
    const failure: unknown =
      this.#failure ?? (announced.status === 'rejected' ? announced.reason : undefined);
    throw await this.#commitFailure(committed, failure);
  }

  /** After its work has failed; answers with what is to be told of it. */
  async rollBack(error: unknown): Promise<unknown> {
    if (!this.#hasBegun) return error;
    if (this.#commitResult) {
      const [, committed] = await this.#commitResult;
      return this.#commitFailure(committed, error);
    }
    await this.#rollBack();
    return error;
  }

  /** What is to be told of a transaction that was not, or perhaps not, committed though it should have been. */
  async #commitFailure(committed: PromiseSettledResult<QueryResult>, failure: unknown): Promise<unknown> {
    // The server's own word for the commit of a transaction that had failed is a rollback.
    if (committed.status === 'fulfilled')
      return failure ?? new InvariantViolation('a transaction that had failed was committed');
    const reason: unknown = committed.reason;
    if (isConflict(reason) || isPreparedElsewhere(reason)) return reason;
    if (isAborted(reason)) {
      await this.#rollBack();
      return failure ?? reason;
    }
    await this.#connection.close();
    return new OutcomeUnknown('the connection was lost during the commit', { cause: reason });
  }

  /** Where that fails, something failed that nobody had waited for: it fails the transaction. */
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

  /** What was announced is written last, when every row is locked: so changes of one row are numbered in their order. */
  #publishAll(): Promise<QueryResult> | undefined {
    if (this.#published.length === 0) return undefined;
    this.#begin();
    const topics = this.#published.map(({ topic }) => topic);
    return this.#connection.query('announce', INSERT_CHANGES, [
      topics,
      this.#published.map(({ change }) => change),
    ]);
  }

  /** To be called once durable and told. */
  committed(): void {
    for (const effect of this.#after) effect();
  }

  #send<Params extends readonly SqlParam[], Row>(
    query: Statement<Params, Row>,
    params: Params,
  ): Promise<QueryResult> {
    this.#begin();
    return this.#recordFailure(send(this.#connection, query, params));
  }

  /** Statements travel together: those behind one that failed only say that the transaction has, so it is told again. */
  async #recordFailure(answer: Promise<QueryResult>): Promise<QueryResult> {
    try {
      return await answer;
    } catch (error) {
      this.#failure ??= error;
      throw isAborted(error) ? this.#failure : error;
    }
  }

  /** Sent together with the first statement: a transaction that is refused before it reads anything costs nothing. */
  #begin(): void {
    if (this.#commitResult) throw new InvariantViolation('a transaction that has ended is asked for more');
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    ignoreRejection(this.#recordFailure(this.#connection.begin()));
  }
}

function ignoreRejection(promise: Promise<unknown>): void {
  promise.catch(() => undefined);
}
