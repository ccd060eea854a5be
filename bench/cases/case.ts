import type { BenchDatabase, DatabaseFactory } from '../datasets/databases.js';
import type { Datasets } from '../datasets/datasets.js';
import { type FoyerServer, type ServerOptions, withServer } from '../foyer/server.js';
import type { LoadGenerator } from '../load/load-generator.js';
import type { Pgbench } from '../pgbench/pgbench.js';
import type { ReferenceServers } from '../reference/reference-servers.js';
import type { Round } from '../result.js';
import type { Sizes } from '../sizes.js';

/** The tools and settings that a case runs with. */
export interface CaseContext {
  readonly sizes: Sizes;
  readonly databases: DatabaseFactory;
  readonly datasets: Datasets;
  readonly load: LoadGenerator;
  readonly referenceServers: ReferenceServers;
  /** Only in cluster mode. */
  readonly pgbench: Pgbench | undefined;
  /** Adds a point to a plot of the report. */
  addPoint(series: SeriesName, x: number, y: number): void;
}

export type SeriesName = 'poll-cost' | 'memory';

export interface BenchmarkCase {
  /** For `--only` and `--list`. */
  readonly name: string;
  /** The rows of the report that the case records. Stored results refer to the ids. */
  readonly rows: readonly { readonly id: string; readonly title: string }[];
  /** Measures one round. */
  run(context: CaseContext, record: (rowId: string, round: Round) => void): Promise<void>;
}

/** Thrown by a case that cannot run on this machine or server. The report shows it as skipped, not as failed. */
export class CaseSkipped extends Error {}

/** Runs a server on a temporary copy of the database, so that what a case writes does not affect later rounds. */
export async function withServerOnCopy<T>(
  { databases }: CaseContext,
  database: BenchDatabase,
  work: (server: FoyerServer) => Promise<T>,
  options?: ServerOptions,
): Promise<T> {
  const copy = await databases.copy(database);
  try {
    return await withServer(copy, work, options);
  } finally {
    await copy.remove();
  }
}
