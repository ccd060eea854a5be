import type { Datasets } from './datasets.js';
import type { Load } from './load/client.js';
import type { Pgbench } from './pgbench/pgbench.js';
import type { References } from './reference/references.js';
import type { Mode, Round } from './result.js';
import type { Sizes } from './sizes.js';
import type { Data, Store } from './store.js';

/** What a case has to work with. */
export interface Bench {
  readonly mode: Mode;
  readonly sizes: Sizes;
  readonly store: Store;
  readonly load: Load;
  readonly references: References;
  /** In cluster mode: PostgreSQL alone, with Foyer's own statements. */
  readonly pgbench: Pgbench | undefined;
  readonly datasets: Datasets;
  /** Adds a point to a plot. */
  point(series: SeriesName, x: number, y: number): void;
}

export type SeriesName = 'poll-cost' | 'memory';

/** The case cannot be run here, which is no fault of its own. */
export class Absent extends Error {}

export interface CaseGroup {
  readonly name: string;
  /** The rows of the report that it fills. */
  readonly rows: readonly { readonly id: string; readonly title: string }[];
  run(bench: Bench, fill: (rowId: string, round: Round) => void): Promise<void>;
}

/** Works on a copy, which is gone afterwards: the case uses things up. */
export async function onCopy<T>({ store }: Bench, data: Data, work: (copy: Data) => Promise<T>): Promise<T> {
  const copy = await store.copy(data);
  try {
    return await work(copy);
  } finally {
    await copy.remove();
  }
}
