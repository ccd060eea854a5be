/**
 * Follows the table `changes`, to which every process writes what it publishes, and delivers each committed change to
 * the subscribers of this process: exactly once, unless the feed has a gap.
 *
 * State: a watermark, which is the snapshot of the last read. A poll reads the changes that are visible now and were
 * not visible in that snapshot, delivers them and advances the watermark. At most one poll runs at a time; calls of
 * `waitForChanges` share the poll that starts next, and an idle poll runs 200 ms after the last one.
 *
 * Gap: if the watermark may not be comparable with the server's snapshots, or is older than the retention allows, the
 * feed delivers nothing. It takes a new watermark and makes every gap handler reload its state.
 *
 * Invariant: when `waitForChanges` resolves, every change committed before the call has been delivered or reloaded
 * (read-your-writes across processes).
 */
import { assertDefined } from '../../../kernel/assert.js';
import { SECOND_MS } from '../../../kernel/time.js';
import { type Json, statement, StoreUnavailable } from '../port.js';
import { isConnectionLost, isPreparedElsewhere } from './errors.js';
import type { PostgresConnection } from './connection.js';
import type { PostgresPool } from './pool.js';
import { rowsOf } from './transaction.js';
import type { StoreClock } from './store-clock.js';
import type { Subscribers } from '../subscribers.js';

const RETENTION_SECONDS = 300;
/** A process whose last read is older than this reloads, well before the changes it has not read are purged. */
const GAP_MS = (RETENTION_SECONDS / 2) * SECOND_MS;
/** Delivers changes to event streams and queues of a process that receives no requests. */
const IDLE_POLL_MS = 200;
const ATTEMPTS_MAX = 3;
/** A poll starts with this many waiters even if more keep arriving. */
const POLL_WAITERS_MAX = 256;

/**
 * Returns the changes that were committed after the snapshot `$1`, in whatever order their transactions committed, and
 * always at least one row with the new watermark. See docs/adr/0011-change-feed-by-snapshots.md.
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

/**
 * Deletes the oldest changes that are older than the retention time: every process has read them or will reload. Runs in
 * a transaction of the write pool, because every request waits for the connection that reads the feed.
 */
export const deleteOldChanges = statement<[limit: number]>(
  'delete_old_changes',
  (dialect) =>
    `DELETE FROM changes WHERE id ${dialect.inQuery(`SELECT id FROM changes
     WHERE published_at < clock_timestamp() - interval '${RETENTION_SECONDS} seconds' ORDER BY published_at LIMIT $1`)}`,
);

interface Watermark {
  /** Start time of the server process. */
  readonly server: string;
  readonly snapshot: string;
  readonly nowMs: number;
}
type ChangeRow = Watermark & ({ readonly topic: null } | { readonly topic: string; readonly change: string });

export class ChangeFeed {
  readonly #pool: PostgresPool;
  readonly #subscribers: Subscribers;
  readonly #clock: StoreClock;
  readonly #gapHandlers: (() => Promise<void> | void)[] = [];
  #watermark: Watermark = { snapshot: '', nowMs: 0, server: '' };
  #lastConnection: PostgresConnection | undefined;
  #hasGap = false;
  /** Has not sent its query yet, so every caller of `waitForChanges` may share it. */
  #nextPoll: Promise<void> | undefined;
  #waiterCount = 0;
  #currentPoll: Promise<void> | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
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
   * Sets the first watermark. Nothing is delivered before the first `waitForChanges`, so state that is loaded in
   * between receives every change committed during its load.
   */
  async start(): Promise<void> {
    this.#watermark = await this.#readWatermark();
  }

  onGap(reload: () => Promise<void> | void): void {
    this.#gapHandlers.push(reload);
  }

  /** Never joins a running poll: its snapshot may be older than this call. */
  waitForChanges(): Promise<void> {
    this.#waiterCount += 1;
    return (this.#nextPoll ??= this.#poll());
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#idleTimer);
  }

  async #poll(): Promise<void> {
    clearTimeout(this.#idleTimer);
    await this.#currentPoll?.catch(ignore);
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

  /** Lets requests of the next event-loop iterations share the poll, as long as each iteration adds some. */
  async #collectWaiters(): Promise<void> {
    let collected = 0;
    while (collected < this.#waiterCount && collected < POLL_WAITERS_MAX) {
      collected = this.#waiterCount;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    this.#waiterCount = 0;
  }

  async #readChanges(): Promise<void> {
    const before = this.#watermark;
    const connectionBefore = this.#lastConnection;
    const rows = await this.#query<ChangeRow>(READ_CHANGES, [before.snapshot]);
    const { snapshot, nowMs, server } = assertDefined(rows[0], 'READ_CHANGES returns at least one row');
    // A server that crashed, or a standby that was promoted, may reuse the ids of unfinished transactions. Its
    // snapshots are not comparable with earlier ones. A new connection may lead to such a server.
    this.#hasGap ||=
      connectionBefore !== this.#lastConnection || server !== before.server || nowMs - before.nowMs > GAP_MS;
    if (this.#hasGap) {
      this.#watermark = await this.#readWatermark();
      for (const reload of this.#gapHandlers) await reload();
      this.#hasGap = false;
      return;
    }
    this.#watermark = { snapshot, nowMs, server };
    for (const row of rows) {
      if (row.topic === null) continue;
      for (const change of JSON.parse(row.change) as readonly Json[])
        this.#subscribers.emit(row.topic, change);
    }
  }

  async #readWatermark(): Promise<Watermark> {
    const [watermark] = await this.#query(READ_WATERMARK, []);
    return assertDefined(watermark, 'READ_WATERMARK returns one row');
  }

  /** Retries on a lost connection. Every result is also a sample of the database clock. */
  async #query<Row extends Watermark>(text: string, values: readonly string[]): Promise<Row[]> {
    for (let attempt = 1; ; attempt += 1) {
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
        if (!canRetry || attempt === ATTEMPTS_MAX)
          throw new StoreUnavailable('change feed could not be read', { cause: error });
      } finally {
        this.#pool.release(connection);
      }
    }
  }

  #scheduleIdlePoll(): void {
    if (this.#isClosed || this.#nextPoll) return;
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      // A request that needs the changes polls itself and reports the failure.
      this.waitForChanges().catch(ignore);
    }, IDLE_POLL_MS);
  }
}

const ignore = (): void => undefined;
