import { expect } from 'vitest';
import { openSale, PRICE, type Sale } from '../sale.js';
import { expectFinalState } from './final-state.js';
import { type Cluster, startCluster } from './cluster.js';
import { insertFans } from './insert-fans.js';
import { type Load, type LoadOptions, startLoad } from './load.js';
import { createProbe, type Probe } from './probe.js';
import { queryRows } from './tables.js';

const FANS = 60;
const POLICY = { maxActive: 20, idleSeconds: null, holdSeconds: 3600, maxSeatsPerUser: 100 };
const HALL = [{ name: 'A', rows: 20, seatsPerRow: 100, grade: 'R', price: PRICE }];
/** After this many payments, fans are at every step of the sale. */
const WARM_UP_PAYMENTS = 10;

/** The promised recovery time on an idle machine; `expectFastRecovery` compares the median of several recoveries. */
const RECOVERY_MS = 5000;
/** A single recovery may be slow on a busy machine; this limit only catches processes that never recover. */
const RECOVERY_MAX_MS = 30_000;

/** A sale with a long queue, served by several processes, while fans join, hold and pay. */
export interface SaleUnderLoad {
  readonly cluster: Cluster;
  readonly load: Load;
  readonly sale: Sale;
  readonly probe: Probe;
  /** Stops the load, then checks that this database and every process show exactly what was acknowledged. */
  stopAndCheck(databaseUrl?: string): Promise<void>;
}

export async function startSaleUnderLoad(
  databaseUrl: string,
  options: {
    /** The URL for queries of the test itself, if Foyer connects through another one. */
    readonly tablesUrl?: string;
    readonly load?: Pick<LoadOptions, 'answerMaxMs' | 'concurrency'>;
  } = {},
): Promise<SaleUnderLoad> {
  const tablesUrl = options.tablesUrl ?? databaseUrl;
  const cluster = await startCluster(databaseUrl);
  try {
    const sale = await openSale(cluster.client, cluster.operator, { policy: POLICY, sections: HALL });
    const fans = await insertFans(tablesUrl, FANS);
    const seats = await queryRows<{ id: string }>(tablesUrl, 'SELECT id FROM seats ORDER BY position');
    const probe = await createProbe(tablesUrl, cluster);
    const seatIds = seats.map(({ id }) => id);
    const load = startLoad({ cluster, fans, sale, seatIds, ...options.load });
    await load.waitForPayments(WARM_UP_PAYMENTS);
    return {
      cluster,
      load,
      sale,
      probe,
      async stopAndCheck(atUrl = tablesUrl) {
        await load.stop();
        await expectFinalState({ cluster, databaseUrl: atUrl, sale, books: load.books });
      },
    };
  } catch (error) {
    await cluster.kill();
    throw error;
  }
}

/** Every process serves again and fans are admitted again. Returns how many ms that took from now. */
export async function expectRecovery({ probe, load }: SaleUnderLoad, after: string): Promise<number> {
  const servedAfterMs = await probe.waitUntilServing();
  // Puts the measured times into the log of the run.
  process.stdout.write(`${after}: served after ${servedAfterMs.join(', ')} ms\n`);
  const recoveryMs = Math.max(...servedAfterMs);
  expect(recoveryMs, after).toBeLessThan(RECOVERY_MAX_MS);
  await load.waitForPayments(POLICY.maxActive + 1);
  return recoveryMs;
}

/** The median of several recoveries is within the promised time. */
export function expectFastRecovery(recoveriesMs: readonly number[]): void {
  const ascending = [...recoveriesMs].sort((a, b) => a - b);
  expect(ascending[Math.floor(ascending.length / 2)]).toBeLessThan(RECOVERY_MS);
}
