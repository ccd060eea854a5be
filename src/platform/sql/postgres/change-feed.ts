import { SECOND_MS } from '../../../kernel/time.js';
import { type Json, StoreUnavailable } from '../port.js';
import { isConnectionLost, isPreparedElsewhere } from './errors.js';
import type { PostgresConnection } from './connection.js';
import type { PostgresPool } from './pool.js';
import { rowsOf } from './transaction.js';
import type { StoreClock } from './store-clock.js';
import type { Subscribers } from '../subscribers.js';

/** How long changes are kept. A process that has not asked for half as long reads everything anew. */
const RETENTION_SECONDS = 300;
const GAP_MS = (RETENTION_SECONDS / 2) * SECOND_MS;
/** Streams and lines move on in a process that nobody asks, too. */
const IDLE_MS = 200;
const TRIES_MAX = 3;
/** Once so many wait for a look it begins, though more are coming: they could go on coming for ever. */
const POLL_WAITERS_MAX = 256;

/**
 * What has been committed and was not yet visible in the snapshot of the last time. Exact, whatever order transactions
 * commit in, and as cheap as what it finds: see docs/adr/0011-change-feed-by-snapshots.md.
 */
const READ_CHANGES = `SELECT s.server, s.snapshot, s.now_ms AS "nowMs", c.topic, c.change
  FROM (SELECT CAST(pg_postmaster_start_time() AS TEXT) AS server, CAST(pg_current_snapshot() AS TEXT) AS snapshot,
      CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) AS now_ms) s
  LEFT JOIN (SELECT id, topic, change FROM changes
      WHERE tx >= CAST(CAST(pg_snapshot_xmin(CAST($1 AS pg_snapshot)) AS TEXT) AS BIGINT)
        AND NOT pg_visible_in_snapshot(CAST(CAST(tx AS TEXT) AS xid8), CAST($1 AS pg_snapshot))) c ON TRUE
  ORDER BY c.id`;
const READ_WATERMARK = `SELECT CAST(pg_postmaster_start_time() AS TEXT) AS server, CAST(pg_current_snapshot() AS TEXT) AS snapshot,
  CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) AS "nowMs"`;
const PURGE_CHANGES = `DELETE FROM changes WHERE published_at < clock_timestamp() - interval '${RETENTION_SECONDS} seconds'`;

interface Watermark {
  /** Since when the server has been running. */
  readonly server: string;
  readonly snapshot: string;
  readonly nowMs: number;
}
type ChangeRow = Watermark & ({ readonly topic: null } | { readonly topic: string; readonly change: string });

/** Follows what every process commits, and tells this one's subscribers. */
export class ChangeFeed {
  readonly #pool: PostgresPool;
  readonly #subscribers: Subscribers;
  readonly #clock: StoreClock;
  readonly #gapHandlers: (() => Promise<void>)[] = [];
  #watermark: Watermark = { snapshot: '', nowMs: 0, server: '' };
  #lastConnection: PostgresConnection | undefined;
  #hasGap = false;
  /** The look that has not begun: whoever asks now shares it. */
  #nextPoll: Promise<void> | undefined;
  /** Who waits for it. */
  #waiterCount = 0;
  #currentPoll: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(deps: {
    readonly pool: PostgresPool;
    readonly subscribers: Subscribers;
    readonly clock: StoreClock;
  }) {
    this.#pool = deps.pool;
    this.#subscribers = deps.subscribers;
    this.#clock = deps.clock;
  }

  /**
   * From here on nothing is missed, and nothing is told before somebody asks for the first time: whatever is read until
   * then will hear of all that was committed while it was being read.
   */
  async start(): Promise<void> {
    this.#watermark = await this.#query(READ_WATERMARK, []).then(([moment]) => required(moment));
  }

  onGap(reread: () => Promise<void>): void {
    this.#gapHandlers.push(reread);
  }

  /** Whoever asks while a look is under way gets the next one: that one may have begun too early for them. */
  waitForChanges(): Promise<void> {
    this.#waiterCount += 1;
    return (this.#nextPoll ??= this.#poll());
  }

  /** Deletes what every process has heard long ago. */
  async purge(): Promise<void> {
    await this.#query(PURGE_CHANGES, []);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #poll(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#currentPoll?.catch(nothing);
    await this.#collectWaiters();
    this.#nextPoll = undefined;
    this.#currentPoll = this.#readChanges();
    try {
      await this.#currentPoll;
    } finally {
      this.#currentPoll = undefined;
      this.#scheduleIdlePoll();
    }
  }

  /** Not at once: the requests read from their sockets in this turn of the loop share it, and so on while more come. */
  async #collectWaiters(): Promise<void> {
    let gathered = 0;
    while (gathered < this.#waiterCount && gathered < POLL_WAITERS_MAX) {
      gathered = this.#waiterCount;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    this.#waiterCount = 0;
  }

  async #readChanges(): Promise<void> {
    const before = this.#watermark;
    const askedOf = this.#lastConnection;
    const rows = await this.#query<ChangeRow>(READ_CHANGES, [before.snapshot]);
    const { snapshot, nowMs, server } = required(rows[0]);
    // A server that has crashed gives the numbers of transactions that never ended anew, and so may another that took
    // over: by them nobody can say what has been seen. Every new connection may be to such a server.
    this.#hasGap ||=
      askedOf !== this.#lastConnection || server !== before.server || nowMs - before.nowMs > GAP_MS;
    if (this.#hasGap) {
      this.#watermark = await this.#query(READ_WATERMARK, []).then(([moment]) => required(moment));
      for (const reread of this.#gapHandlers) await reread();
      this.#hasGap = false;
      return;
    }
    this.#watermark = { snapshot, nowMs, server };
    for (const row of rows) {
      if (row.topic !== null) this.#subscribers.emit(row.topic, JSON.parse(row.change) as Json);
    }
  }

  async #query<Row extends Watermark>(text: string, values: readonly string[]): Promise<Row[]> {
    for (let tries = 1; ; tries += 1) {
      const connection = await this.#pool.acquire();
      try {
        const sentAtMs = performance.now();
        const rows = rowsOf<Row>(await connection.query(`changes_${text.length}`, text, values));
        const [first] = rows;
        this.#lastConnection = connection;
        if (first) this.#clock.learn(sentAtMs, performance.now(), first.nowMs);
        return rows;
      } catch (error) {
        const isPooled = isPreparedElsewhere(error);
        if (isPooled) this.#pool.stopPreparing();
        const canRetry = isPooled || isConnectionLost(error);
        if (canRetry) await connection.close();
        if (!canRetry || tries === TRIES_MAX)
          throw new StoreUnavailable('the database could not be asked what is new', { cause: error });
      } finally {
        this.#pool.release(connection);
      }
    }
  }

  #scheduleIdlePoll(): void {
    if (this.#isClosed || this.#nextPoll) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // Whoever needs the news asks for it and hears of the failure; this is only for those who do not.
      this.waitForChanges().catch(nothing);
    }, IDLE_MS);
  }
}

const nothing = (): void => undefined;

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new StoreUnavailable('the database answered nothing');
  return value;
}
