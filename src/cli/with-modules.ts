import { compose, type Foyer, openStore, type Store } from '../compose.js';
import { readSettings, type Settings } from '../config.js';
import { createLogger } from '../http/index.js';
import { createTelemetry } from '../telemetry.js';

/** The rooms without a server: on PostgreSQL, or on a data directory that no server uses meanwhile. */
export async function withFoyer(
  env: NodeJS.ProcessEnv,
  work: (foyer: Foyer, store: Store, settings: Settings) => Promise<void>,
): Promise<void> {
  const settings = readSettings(env);
  const logger = createLogger({ level: 'warn' });
  const observer = createTelemetry();
  const store = await openStore(settings, {
    onFatal: (error) => {
      logger.fatal({ err: error }, 'the database could not commit');
      process.exit(1);
    },
  });
  try {
    const { sql, secret } = store;
    const foyer = compose({ settings, sql, secret, logger, observer, isReady: () => false });
    await foyer.load();
    await work(foyer, store, settings);
  } finally {
    observer.stop();
    await store.close();
  }
}
