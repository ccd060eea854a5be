import { InvariantBroken, present } from '../../kernel/assert.js';
import type { Clock } from '../../kernel/time.js';
import { type Json, OutcomeUnknown, type SqlParam, type Statement, type Topic, type Tx } from './port.js';
import type { Answered } from './postgres-batch.js';
import type { PostgresConnection } from './postgres-connection.js';
import { ConnectionLost, isAborted, isCollision, isPreparedElsewhere, OutOfDate } from './postgres-errors.js';
import { postgresDialect, toPostgres } from './postgres-dialect.js';

/** Shorter than anybody could tell, longer than a transaction takes that nobody keeps waiting. */
const TIMELY_MS = 200;
const ANNOUNCE = `INSERT INTO changes (topic, change)
  SELECT t, c FROM unnest(CAST($1 AS TEXT[]), CAST($2 AS TEXT[])) WITH ORDINALITY AS x(t, c, n) ORDER BY n`;

interface Announced {
  readonly topic: string;
  readonly change: string;
}

/** Texts in PostgreSQL's words, each built once. */
const texts = new WeakMap<object, string>();
const announcingTexts = new WeakMap<object, string>();

function builtOnce(known: WeakMap<object, string>, query: object, build: () => string): string {
  const found = known.get(query);
  if (found !== undefined) return found;
  const text = build();
  known.set(query, text);
  return text;
}

const textOf = <Params extends readonly SqlParam[], Row>(query: Statement<Params, Row>): string =>
  builtOnce(texts, query, () => query.text(postgresDialect));

/** The same, and the rows it makes are announced under that topic. */
const announcingTextOf = <Params extends readonly SqlParam[], Row>(
  topic: string,
  command: Statement<Params, Row>,
): string =>
  builtOnce(
    announcingTexts,
    command,
    () => `WITH made AS (${command.text(postgresDialect)})
      INSERT INTO changes (topic, change) SELECT '${topic}', CAST(row_to_json(made) AS TEXT) FROM made`,
  );

export const send = <Params extends readonly SqlParam[], Row>(
  connection: PostgresConnection,
  query: Statement<Params, Row>,
  params: Params,
): Promise<Answered> => connection.query(query.name, textOf(query), params.map(toPostgres));

// The statement's own type says what its rows are; this is the one place that takes its word for it.
export const rowsOf = <Row>({ rows }: Answered): Row[] => rows as Row[];

export class PostgresTx implements Tx {
  readonly #clock: Clock;
  #nowMs: number | undefined;
  readonly #connection: PostgresConnection;
  #announced: Announced[] = [];
  #after: (() => void)[] = [];
  #hasBegun = false;
  #hasAnnouncedRows = false;
  #ending: Promise<[PromiseSettledResult<unknown>, PromiseSettledResult<Answered>]> | undefined;
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

  requireTimely(): void {
    if (this.#clock() - this.nowMs > TIMELY_MS)
      throw new OutOfDate('another time than when it was asked for');
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

  async run<Params extends readonly SqlParam[]>(
    command: Statement<Params, never>,
    params: Params,
  ): Promise<number> {
    return (await this.#send(command, params)).rowCount ?? 0;
  }

  write<Params extends readonly SqlParam[]>(command: Statement<Params, never>, params: Params): void {
    quietly(this.#send(command, params));
  }

  async lock<Params extends readonly SqlParam[], Row>(
    query: Statement<Params, Row>,
    params: Params,
  ): Promise<void> {
    await this.#send(query, params);
  }

  async attempt<T>(work: () => Promise<T>): Promise<T> {
    const announced = [...this.#announced];
    const after = [...this.#after];
    this.#begin();
    // Not waited for: what fails here fails the statement that follows.
    const savepoint = `undoable_${(this.#attempts += 1)}`;
    quietly(this.#noticing(this.#connection.command(`SAVEPOINT ${savepoint}`)));
    try {
      return await work();
    } catch (error) {
      this.#announced = announced;
      this.#after = after;
      if (!this.#connection.isLost) await this.#rollBackTo(savepoint);
      this.#failure = undefined;
      throw error;
    }
  }

  announce<Change extends Json>({ name }: Topic<Change>, change: Change): void {
    this.#announced.push({ topic: name, change: JSON.stringify(change) });
  }

  async announceRows<Params extends readonly SqlParam[], Change extends Json>(
    about: Topic<Change>,
    command: Statement<Params, Change>,
    params: Params,
  ): Promise<void> {
    this.#hasAnnouncedRows = true;
    this.#begin();
    await this.#noticing(
      this.#connection.query(
        `${command.name}_announcing`,
        announcingTextOf(about.name, command),
        params.map(toPostgres),
      ),
    );
  }

  afterCommit(effect: () => void): void {
    this.#after.push(effect);
  }

  get hasAnnounced(): boolean {
    return this.#hasAnnouncedRows || this.#announced.length > 0;
  }

  end(): void {
    if (!this.#hasBegun) return;
    // Sent together: if the first fails, the server skips the second.
    this.#ending ??= Promise.allSettled([this.#announceAll(), this.#connection.command('COMMIT')]);
  }

  async commit(): Promise<void> {
    if (!this.#hasBegun) return;
    // Nothing can be sent on it any more: what was never committed certainly did not happen.
    if (!this.#ending && this.#connection.isLost)
      throw new ConnectionLost('the connection broke before the commit');
    if (this.#failure) throw await this.undo(this.#failure);
    this.end();
    const [announced, committed] = await present(this.#ending, 'an end');
    if (committed.status === 'fulfilled' && committed.value.command === 'COMMIT' && !this.#failure) return;
    const failure: unknown =
      this.#failure ?? (announced.status === 'rejected' ? announced.reason : undefined);
    throw await this.#uncommitted(committed, failure);
  }

  /** After its work has failed; answers with what is to be told of it. */
  async undo(error: unknown): Promise<unknown> {
    if (!this.#hasBegun) return error;
    if (this.#ending) {
      const [, committed] = await this.#ending;
      return this.#uncommitted(committed, error);
    }
    await this.#rollBack();
    return error;
  }

  /** What is to be told of a transaction that was not, or perhaps not, committed though it should have been. */
  async #uncommitted(committed: PromiseSettledResult<Answered>, failure: unknown): Promise<unknown> {
    // The server's own word for the commit of a transaction that had failed is a rollback.
    if (committed.status === 'fulfilled')
      return failure ?? new InvariantBroken('a transaction that had failed was committed');
    const reason: unknown = committed.reason;
    if (isCollision(reason) || isPreparedElsewhere(reason)) return reason;
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
  #announceAll(): Promise<Answered> | undefined {
    if (this.#announced.length === 0) return undefined;
    this.#begin();
    const topics = this.#announced.map(({ topic }) => topic);
    return this.#connection.query('announce', ANNOUNCE, [
      topics,
      this.#announced.map(({ change }) => change),
    ]);
  }

  /** To be called once durable and told. */
  committed(): void {
    for (const effect of this.#after) effect();
  }

  #send<Params extends readonly SqlParam[], Row>(
    query: Statement<Params, Row>,
    params: Params,
  ): Promise<Answered> {
    this.#begin();
    return this.#noticing(send(this.#connection, query, params));
  }

  /** Statements travel together: those behind one that failed only say that the transaction has, so it is told again. */
  async #noticing(answer: Promise<Answered>): Promise<Answered> {
    try {
      return await answer;
    } catch (error) {
      this.#failure ??= error;
      throw isAborted(error) ? this.#failure : error;
    }
  }

  /** Sent together with the first statement: a transaction that is refused before it reads anything costs nothing. */
  #begin(): void {
    if (this.#ending) throw new InvariantBroken('a transaction that has ended is asked for more');
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    quietly(this.#noticing(this.#connection.begin()));
  }
}

function quietly(promise: Promise<unknown>): void {
  promise.catch(() => undefined);
}
