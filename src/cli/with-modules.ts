import { compose, type Foyer } from '../compose.js';
import { openStore, type Store } from '../open-store.js';
import { readSettings, type Settings } from '../config.js';
import { createLogger } from '../http/index.js';
import { createTelemetry } from '../telemetry.js';

/** Runs `work` with all modules but without a listening server. Locks the data directory unless PostgreSQL is used. */
export async function withModules(
  env: NodeJS.ProcessEnv,
  work: (foyer: Foyer, store: Store, settings: Settings) => Promise<void>,
): Promise<void> {
  const settings = readSettings(env);
  const logger = createLogger({ level: 'warn' });
  const telemetry = createTelemetry();
  const store = await openStore(settings, {
    onFatal: (error) => {
      logger.fatal({ err: error }, 'commit failed, stopping');
      process.exit(1);
    },
  });
  try {
    const { sql, secret } = store;
    const foyer = compose({ settings, sql, secret, logger, telemetry, isReady: () => false });
    await foyer.load();
    await work(foyer, store, settings);
  } finally {
    telemetry.stop();
    await store.close();
  }
}
