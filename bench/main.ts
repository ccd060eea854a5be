/** `npm run bench`: measures Foyer against the limits of the machine it runs on, and says what came of it. */
import { join } from 'node:path';
import { lookForBinaries } from '../test/support/postgres/binaries.js';
import { startPostgres } from '../test/support/postgres/index.js';
import { type Arguments, HELP, readArguments } from './arguments.js';
import type { Bench, CaseGroup, SeriesName } from './bench.js';
import { casesOf } from './cases/index.js';
import { createDatasets } from './datasets.js';
import { startLoad } from './load/client.js';
import { describeMachine, isBusy } from './machine.js';
import { createPgbench } from './pgbench/pgbench.js';
import { createReferences } from './reference/references.js';
import { RESULTS, writeDocs } from './report/docs.js';
import { targetsTable } from './report/markdown.js';
import { writeReport } from './report/write.js';
import type { Result, Series } from './result.js';
import { runRounds } from './rounds.js';
import { type SizeName, SIZES } from './sizes.js';
import { clusterStore, embeddedStore } from './store.js';

/** Fewer are no basis for figures that are shown to others. */
const ROUNDS_FOR_DOCS = 3;

const startedMs = performance.now();
const say = (text: string): void => {
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  process.stderr.write(`${seconds.padStart(5)} s  ${text}\n`);
};

const newSeries = (): Record<SeriesName, Series> => ({
  'poll-cost': {
    id: 'poll-cost',
    title: 'Cost of a poll as the line grows',
    xTitle: 'people waiting',
    yTitle: 'microseconds a poll (64 connections)',
    points: [],
  },
  memory: {
    id: 'memory',
    title: 'Memory of the process as the line grows',
    xTitle: 'people waiting',
    yTitle: 'resident bytes, after garbage collection',
    points: [],
  },
});

/** Works with everything that a run needs, and takes it all down afterwards. */
async function withBench<T>(
  size: SizeName,
  databaseUrl: string | undefined,
  work: (bench: Bench, series: readonly Series[]) => Promise<T>,
): Promise<T> {
  const sizes = SIZES[size];
  const store = databaseUrl === undefined ? embeddedStore : clusterStore(databaseUrl);
  const load = startLoad();
  const references = createReferences(load, sizes);
  const datasets = createDatasets(store, say);
  const series = newSeries();
  const pgbench = databaseUrl === undefined ? undefined : await createPgbench(store, sizes.seconds);
  const bench: Bench = {
    mode: databaseUrl === undefined ? 'embedded' : 'cluster',
    sizes,
    store,
    load,
    references,
    datasets,
    pgbench,
    point: (name, x, y) => series[name].points.push({ x, y }),
  };
  try {
    return await work(bench, Object.values(series));
  } finally {
    await references.stop();
    await load.stop();
    await pgbench?.remove();
    await datasets.remove();
  }
}

async function measure(
  { mode, size, rounds }: Arguments,
  groups: readonly CaseGroup[],
  databaseUrl: string | undefined,
): Promise<Result> {
  const startedAt = new Date().toISOString();
  const machine = await describeMachine(databaseUrl);
  return withBench(size, databaseUrl, async (bench, series) => {
    const rows = await runRounds(bench, groups, rounds, say);
    const tookSeconds = (performance.now() - startedMs) / 1000;
    return { format: 1, mode, size, rounds, startedAt, tookSeconds, machine, rows, series: [...series] };
  });
}

/** In cluster mode on the server that was named, or on one of our own. */
async function onDatabase<T>(
  { mode, databaseUrl }: Arguments,
  work: (url: string | undefined) => Promise<T>,
): Promise<T> {
  if (mode === 'embedded' || databaseUrl !== undefined) return work(databaseUrl);
  if ((await lookForBinaries()) === undefined)
    throw new Error('PostgreSQL was not found: install 15 or newer, or name a server with --database-url.');
  const postgres = await startPostgres();
  try {
    return await work(postgres.url());
  } finally {
    await postgres.stop();
  }
}

function chosen(all: readonly CaseGroup[], only: readonly string[]): CaseGroup[] {
  const groups = all.filter(({ name }) => only.length === 0 || only.some((start) => name.startsWith(start)));
  if (groups.length === 0) throw new Error(`There is no such case. There are: ${namesOf(all)}.`);
  return groups;
}

const namesOf = (groups: readonly CaseGroup[]): string => groups.map(({ name }) => name).join(', ');

async function bench(args: Arguments): Promise<boolean> {
  const all = casesOf(SIZES[args.size]);
  if (args.list) {
    process.stdout.write(`${namesOf(all)}\n`);
    return true;
  }
  const groups = chosen(all, args.only);
  if (isBusy()) say('The machine is busy with something else: these figures will not be worth much.');
  const result = await onDatabase(args, (url) => measure(args, groups, url));
  const isWhole = args.size === 'full' && groups.length === all.length && args.rounds >= ROUNDS_FOR_DOCS;
  const suffix = args.size === 'full' ? (isWhole ? '' : '-part') : `-${args.size}`;
  const directory = args.out ?? join(RESULTS, `${args.mode}${suffix}`);
  writeReport(directory, result);
  if (isWhole && args.out === undefined) await writeDocs();
  process.stdout.write(`${targetsTable(result)}\n\n${join(directory, 'report.md')}\n`);
  return result.rows.every(({ faults }) => faults.length === 0);
}

// Ended by its user: what was started goes, too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

try {
  const args = readArguments(process.argv.slice(2));
  if (args) process.exitCode = (await bench(args)) ? 0 : 1;
  else process.stdout.write(`${HELP}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
