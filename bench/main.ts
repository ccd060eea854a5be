/**
 * `npm run bench`: measures a built Foyer from outside, over HTTP, against the limits of the machine it runs on.
 *
 * This file parses the options, starts what all cases share (databases, load generator, reference servers), runs the
 * cases in rounds, writes the report and removes everything it created. The folders:
 *
 * - cases/: what is measured, one file per kind of request
 * - datasets/: prepared databases, SQLite or PostgreSQL
 * - foyer/: the server under test, its operator API, and the requests and tokens of fans
 * - load/: the load generator, in child processes
 * - measurement/: rounds, interleaving with the references, statistics
 * - reference/ and pgbench/: the limits of the machine, for HTTP and for PostgreSQL
 * - report/: targets, tables, plots, comparison of two runs
 *
 * The exit code is 1 if a case failed, and 0 even if a target was missed.
 */
import { join } from 'node:path';
import { lookForBinaries } from '../test/support/postgres/binaries.js';
import { startPostgres } from '../test/support/postgres/index.js';
import { type Arguments, HELP, readArguments } from './arguments.js';
import type { BenchmarkCase, CaseContext, SeriesName } from './cases/case.js';
import { createCases } from './cases/index.js';
import { postgresDatabases, sqliteDatabases, withRateLimits } from './datasets/databases.js';
import { createDatasets } from './datasets/datasets.js';
import { startLoadGenerator } from './load/load-generator.js';
import { runRounds } from './measurement/run-rounds.js';
import { createPgbench } from './pgbench/pgbench.js';
import { createReferenceServers } from './reference/reference-servers.js';
import { RESULTS, writeDocs } from './report/docs.js';
import { describeMachine, isBusy } from './report/machine.js';
import { renderTargets } from './report/render-report.js';
import { writeReport } from './report/write-report.js';
import type { Result, Series } from './result.js';
import { SIZES } from './sizes.js';

/** With fewer rounds, the figures are not reliable enough to be published in the docs. */
const DOCS_ROUNDS_MIN = 3;

const startedMs = performance.now();
const log = (text: string): void => {
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  process.stderr.write(`${seconds.padStart(5)} s  ${text}\n`);
};

const createSeries = (): Record<SeriesName, Series> => ({
  'poll-cost': {
    id: 'poll-cost',
    title: 'Cost of a poll as the queue grows',
    xTitle: 'people waiting',
    yTitle: 'microseconds per poll (64 connections)',
    points: [],
  },
  memory: {
    id: 'memory',
    title: 'Memory of the process as the queue grows',
    xTitle: 'people waiting',
    yTitle: 'resident bytes, after garbage collection',
    points: [],
  },
});

/** Starts everything that the cases share, and stops and removes it after the work. */
async function withCaseContext<T>(
  { size, hasLimits }: Pick<Arguments, 'size' | 'hasLimits'>,
  databaseUrl: string | undefined,
  work: (context: CaseContext, series: readonly Series[]) => Promise<T>,
): Promise<T> {
  const sizes = SIZES[size];
  const unlimited = databaseUrl === undefined ? sqliteDatabases : postgresDatabases(databaseUrl);
  const databases = hasLimits ? withRateLimits(unlimited) : unlimited;
  const load = startLoadGenerator();
  const referenceServers = createReferenceServers(load, sizes);
  const datasets = createDatasets(databases, log);
  const series = createSeries();
  const pgbench =
    databaseUrl === undefined ? undefined : await createPgbench(databases, sizes.measureSeconds);
  const context: CaseContext = {
    sizes,
    databases,
    datasets,
    load,
    referenceServers,
    pgbench,
    addPoint: (name, x, y) => series[name].points.push({ x, y }),
  };
  try {
    return await work(context, Object.values(series));
  } finally {
    await referenceServers.stop();
    await load.stop();
    await pgbench?.remove();
    await datasets.remove();
  }
}

async function measure(
  { mode, size, rounds, hasLimits }: Arguments,
  cases: readonly BenchmarkCase[],
  databaseUrl: string | undefined,
): Promise<Result> {
  const startedAt = new Date().toISOString();
  const machine = await describeMachine(databaseUrl);
  return withCaseContext({ size, hasLimits }, databaseUrl, async (context, series) => {
    const rows = await runRounds(context, cases, rounds, log);
    const tookSeconds = (performance.now() - startedMs) / 1000;
    return { format: 1, mode, size, rounds, startedAt, tookSeconds, machine, rows, series: [...series] };
  });
}

/** In cluster mode, passes the URL of the given PostgreSQL server or of a temporary one. In embedded mode, undefined. */
async function withDatabaseUrl<T>(
  { mode, databaseUrl }: Arguments,
  work: (url: string | undefined) => Promise<T>,
): Promise<T> {
  if (mode === 'embedded' || databaseUrl !== undefined) return work(databaseUrl);
  if ((await lookForBinaries()) === undefined)
    throw new Error('PostgreSQL not found: install version 15 or newer, or pass --database-url.');
  const postgres = await startPostgres();
  try {
    return await work(postgres.url());
  } finally {
    await postgres.stop();
  }
}

function selectCases(all: readonly BenchmarkCase[], only: readonly string[]): BenchmarkCase[] {
  const cases = all.filter(({ name }) => only.length === 0 || only.some((prefix) => name.startsWith(prefix)));
  if (cases.length === 0) throw new Error(`--only matches no case. The cases are: ${joinNames(all)}.`);
  return cases;
}

const joinNames = (cases: readonly BenchmarkCase[]): string => cases.map(({ name }) => name).join(', ');

/** Returns whether every case succeeded. */
async function bench(args: Arguments): Promise<boolean> {
  const all = createCases(SIZES[args.size]);
  if (args.list) {
    process.stdout.write(`${joinNames(all)}\n`);
    return true;
  }
  const cases = selectCases(all, args.only);
  if (isBusy()) log('Warning: other programs use the CPU, so the figures will be unreliable.');
  const result = await withDatabaseUrl(args, (url) => measure(args, cases, url));
  const isComplete =
    args.size === 'full' && !args.hasLimits && cases.length === all.length && args.rounds >= DOCS_ROUNDS_MIN;
  const suffix = args.size === 'full' ? (isComplete ? '' : '-part') : `-${args.size}`;
  const limits = args.hasLimits ? '-limits' : '';
  const directory = args.out ?? join(RESULTS, `${args.mode}${suffix}${limits}`);
  writeReport(directory, result);
  if (isComplete && args.out === undefined) await writeDocs();
  process.stdout.write(`${renderTargets(result)}\n\n${join(directory, 'report.md')}\n`);
  return result.rows.every(({ faults }) => faults.length === 0);
}

// By default a signal ends the process without 'exit' listeners, which kill child processes and remove directories.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

try {
  const args = readArguments(process.argv.slice(2));
  if (args) process.exitCode = (await bench(args)) ? 0 : 1;
  else process.stdout.write(`${HELP}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
