import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { compose, type Foyer, openStore, type Store } from './compose.js';
import type { Settings } from './config.js';
import { createLogger } from './http/index.js';
import { UserError } from './kernel/user-error.js';
import { SECOND_MS } from './kernel/time.js';
import { createTelemetry } from './telemetry.js';
import { type DemoSignIns, seedDemo } from './seed/demo.js';

/** From the signal to the cutting of connections that have not finished: supervisors often kill after ten seconds. */
const STOP_MAX_MS = 9 * SECOND_MS;
/** So long after that it ends, though the database does not answer: whatever was acknowledged is durable. */
const END_AFTER_MS = 700;
/** What the requests in flight get in any case, once no more are taken. */
const FINISH_MIN_MS = 2 * SECOND_MS;
/** Whoever still sends requests has been told within this time to go elsewhere; who has not is idle. */
const CLOSE_IDLE_MS = 1000;

export interface RunningServer {
  readonly address: string;
  readonly demo: DemoSignIns | undefined;
  /** Not ready at once, streams closed, requests in flight finished, everything durable. */
  stop(): Promise<void>;
}

export async function serve(settings: Settings): Promise<RunningServer> {
  const logger = createLogger({ level: settings.logLevel });
  const observer = createTelemetry();
  const store = await openStore(settings, {
    onFatal: (error) => {
      logger.fatal({ err: error }, 'the database could not commit: stopping without another answer');
      process.exit(1);
    },
    onCommit: observer.committed,
  });
  const state = { isReady: false };
  const { sql, secret } = store;
  const foyer = compose({ settings, sql, secret, logger, observer, isReady: () => state.isReady });
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
        `Port ${port} on ${host} is taken by another program. Stop it, or set PORT to a free one.`,
      );
    }
    if (code === 'EACCES')
      throw new UserError(`Port ${port} needs privileges this user does not have. Set PORT to 1024 or more.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new UserError(`HOST ${host} is no address of this machine.`);
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
  const end = setTimeout(
    () => {
      logger.error('ending without an answer of the database');
      process.exit(1);
    },
    drainMs + finishMs + END_AFTER_MS,
  );
  // Whoever holds a stream connects anew: the sooner, the more evenly.
  foyer.hub.closeAll();
  await sleep(drainMs);
  const cut = setTimeout(() => {
    logger.warn('cutting connections that did not finish in time');
    foyer.app.server.closeAllConnections();
  }, finishMs);
  // A connection whose last request has been answered is not waited for, but never closed on a request under way.
  const close = setInterval(() => {
    foyer.app.server.closeIdleConnections();
  }, CLOSE_IDLE_MS);
  foyer.hub.closeAll();
  await foyer.jobs.stop();
  await foyer.app.close();
  clearTimeout(cut);
  clearInterval(close);
  await foyer.flushOnShutdown().catch((error: unknown) => {
    logger.warn({ err: error }, 'the other processes were not told who has been here');
  });
  await store.close();
  clearTimeout(end);
  logger.info('stopped');
}
