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
/** From here on everybody is somewhere in the middle. */
const WARM_UP_PAYMENTS = 10;

/** What is promised, where the machine does nothing else: `expectPromptly` asks several times for it. */
const BACK_MS = 5000;
/** One time may be slow, where others use the same cores: this only ends what does not come back. */
const BACK_MAX_MS = 30_000;

/** A sale with a long line, served by several processes, in full swing. */
export interface SaleUnderLoad {
  readonly cluster: Cluster;
  readonly load: Load;
  readonly sale: Sale;
  readonly probe: Probe;
  /** Ends it, and checks that everything is accounted for: in the tables of this address, and at every process. */
  stopAndCheck(databaseUrl?: string): Promise<void>;
}

export async function startSaleUnderLoad(
  databaseUrl: string,
  options: {
    /** Where to look past every Foyer; the same, unless something stands in between. */
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

/** Every process serves again, and the line moves; answers how long it took from now, in milliseconds. */
export async function expectRecovery({ probe, load }: SaleUnderLoad, after: string): Promise<number> {
  const servedAfterMs = await probe.waitUntilServing();
  // For whoever reads the log of a run: figures, not only a verdict.
  process.stdout.write(`${after}: served after ${servedAfterMs.join(', ')} ms\n`);
  const backAfterMs = Math.max(...servedAfterMs);
  expect(backAfterMs, after).toBeLessThan(BACK_MAX_MS);
  await load.waitForPayments(POLICY.maxActive + 1);
  return backAfterMs;
}

/** Of several times, most were as quick as is promised. */
export function expectFastRecovery(backAfterMs: readonly number[]): void {
  const inOrder = [...backAfterMs].sort((a, b) => a - b);
  expect(inOrder[Math.floor(inOrder.length / 2)]).toBeLessThan(BACK_MS);
}
