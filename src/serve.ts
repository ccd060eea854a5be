/**
 * Runs one Foyer process: starting → ready → draining → stopped.
 *
 * - starting: migrates, loads state, listens, starts the jobs. `/readyz` answers 503. On an error everything is closed again.
 * - ready: `/readyz` answers 200.
 * - draining (after `stop`): `/readyz` answers 503 and streams are closed, but requests are still accepted for `drainSeconds`.
 * - stopped: requests in flight have finished, last-seen times are flushed, the database is closed.
 *
 * `stop` always ends in bounded time, with exit code 1 if the database does not respond. If a commit fails with an unknown
 * result, the process exits immediately: it must never answer another request from memory that may differ from the disk.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { compose, type Foyer } from './compose.js';
import { openStore, type Store } from './open-store.js';
import type { Settings } from './config.js';
import { createLogger } from './http/index.js';
import { UserError } from './kernel/user-error.js';
import { SECOND_MS } from './kernel/time.js';
import { createTelemetry } from './telemetry.js';
import { type DemoSignIns, seedDemo } from './seed/demo.js';

/** From the signal until unfinished connections are closed. Supervisors often kill a process after ten seconds. */
const STOP_MAX_MS = 9 * SECOND_MS;
/** After that, how long to wait for the database before exiting. Every acknowledged change is already durable. */
const DATABASE_GRACE_MS = 700;
/** The least time that requests in flight get after the drain. */
const FINISH_MIN_MS = 2 * SECOND_MS;
const CLOSE_IDLE_EVERY_MS = 1000;

export interface RunningServer {
  readonly address: string;
  readonly demo: DemoSignIns | undefined;
  /** Drains, finishes requests in flight and closes the database. */
  stop(): Promise<void>;
}

export async function serve(settings: Settings): Promise<RunningServer> {
  const logger = createLogger({ level: settings.logLevel });
  const telemetry = createTelemetry();
  const store = await openStore(settings, {
    onFatal: (error) => {
      logger.fatal({ err: error }, 'commit failed, stopping');
      process.exit(1);
    },
    onCommit: telemetry.recordCommit,
  });
  const state = { isReady: false };
  const { sql, secret } = store;
  const foyer = compose({ settings, sql, secret, logger, telemetry, isReady: () => state.isReady });
  try {
    await foyer.load();
    if (settings.operator) await foyer.accounts.ensureOperator(settings.operator);
    const demo = settings.demo ? await seedDemo(foyer, store, settings.operator?.email) : undefined;
    const address = await listen(foyer, settings);
    foyer.startJobs();
    state.isReady = true;
    logger.info({ address }, 'listening');
    return { address, demo, stop: () => stop(foyer, store, state, logger, settings) };
  } catch (error) {
    await foyer.app.close();
    await store.close();
    throw error;
  }
}

async function listen({ app }: Foyer, { host, port }: Settings): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') {
      throw new UserError(
        `Port ${port} on ${host} is taken by another program. Stop it, or set PORT to a free port.`,
      );
    }
    if (code === 'EACCES')
      throw new UserError(
        `Port ${port} needs privileges that this user does not have. Set PORT to 1024 or more.`,
      );
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new UserError(`HOST ${host} is not an address of this machine.`);
    throw error;
  }
}

async function stop(
  foyer: Foyer,
  store: Store,
  state: { isReady: boolean },
  logger: Logger,
  { drainSeconds }: Settings,
): Promise<void> {
  state.isReady = false;
  logger.info('stopping');
  const drainMs = drainSeconds * SECOND_MS;
  const finishMs = Math.max(FINISH_MIN_MS, STOP_MAX_MS - drainMs);
  const exitTimer = setTimeout(
    () => {
      logger.error('shutdown timed out waiting for the database');
      process.exit(1);
    },
    drainMs + finishMs + DATABASE_GRACE_MS,
  );
  // Streams reconnect to other processes during the drain, spread over time.
  foyer.hub.closeAll();
  await sleep(drainMs);
  const closeTimer = setTimeout(() => {
    logger.warn('closing connections that did not finish in time');
    foyer.app.server.closeAllConnections();
  }, finishMs);
  // Keep-alive connections would keep the server open. This closes only connections without a request in progress.
  const closeIdleTimer = setInterval(() => {
    foyer.app.server.closeIdleConnections();
  }, CLOSE_IDLE_EVERY_MS);
  foyer.hub.closeAll();
  await foyer.stopJobs();
  await foyer.app.close();
  clearTimeout(closeTimer);
  clearInterval(closeIdleTimer);
  await foyer.flushOnShutdown().catch((error: unknown) => {
    logger.warn({ err: error }, 'flushing last-seen times failed');
  });
  await store.close();
  clearTimeout(exitTimer);
  logger.info('stopped');
}
