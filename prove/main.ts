/** `npm run prove`: runs a workload and faults against a started Foyer, and checks the invariants from recorded evidence. */
import { lookForBinaries } from '../test/support/postgres/binaries.js';
import { startServer } from '../test/support/server.js';
import { type Arguments, HELP, parseArguments } from './arguments.js';
import { everyInvariantHolds, INVARIANTS } from './check/index.js';
import type { Mode } from './deployment/deployment.js';
import { faultsOf } from './faults/index.js';
import { formatReport } from './report.js';
import { prove, type Proof } from './run.js';
import { SABOTAGES } from './sabotage/sabotages.js';
import { findSabotages, sabotage } from './sabotage/index.js';

/** Shorter runs cannot show a memory leak. */
const SOAK_MIN_SECONDS = 300;
const MEMORY_GROWTH_MAX = 1.3;

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const log = (text: string): void => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)}  ${text}\n`);
};

async function requirePostgres(mode: Mode): Promise<void> {
  if (mode === 'cluster' && (await lookForBinaries()) === undefined)
    throw new Error('PostgreSQL was not found: install 15 or newer, or choose --mode embedded.');
}

/** The median memory of all processes, in the first and in the last quarter of the run. */
function memoryOf({ residentBytes }: Proof): { firstMegabytes: number; lastMegabytes: number } {
  const quarter = Math.max(1, Math.floor(residentBytes.length / 4));
  const median = (part: readonly number[]): number =>
    Math.round(([...part].sort((a, b) => a - b)[part.length >> 1] ?? 0) / 2 ** 20);
  return {
    firstMegabytes: median(residentBytes.slice(0, quarter)),
    lastMegabytes: median(residentBytes.slice(-quarter)),
  };
}

function isMemoryFlat(proof: Proof): boolean {
  const { firstMegabytes, lastMegabytes } = memoryOf(proof);
  return proof.seconds < SOAK_MIN_SECONDS || lastMegabytes <= MEMORY_GROWTH_MAX * firstMegabytes;
}

function formatSummary(mode: Mode, seed: number, proof: Proof): string {
  const { calls, unknownCalls, seconds, faults } = proof;
  const { firstMegabytes, lastMegabytes } = memoryOf(proof);
  return (
    `${mode}, seed ${seed}: ${calls} calls in ${seconds.toFixed(0)} s, ${unknownCalls} with unknown outcome at first, ` +
    `${faults.length} faults; memory ${firstMegabytes} MB in the first quarter, ${lastMegabytes} MB in the last` +
    (isMemoryFlat(proof) ? '' : ': MEMORY GREW')
  );
}

async function proveAll({ modes, seed, minutes, fans, faults }: Arguments): Promise<boolean> {
  let isProved = true;
  for (const mode of modes) {
    await requirePostgres(mode);
    log(`${mode}: ${fans} fans for ${minutes} min, seed ${seed}`);
    const proof = await prove({ mode, seed, minutes, fans, faults, start: (env) => startServer(env), log });
    print(`\n${formatSummary(mode, seed, proof)}\n${formatReport(proof.verdicts)}`);
    isProved &&= everyInvariantHolds(proof.verdicts) && isMemoryFlat(proof);
  }
  print(
    isProved
      ? '\nEvery invariant held.'
      : `\nFAILED: an invariant was violated or not checked, or memory grew. Seed ${seed}.`,
  );
  return isProved;
}

async function sabotageAll({ sabotage: name = '', mode, seed, fans }: Arguments): Promise<boolean> {
  const rows: string[] = [];
  let isAllCaught = true;
  for (const { guard, mode: where } of findSabotages(name, mode)) {
    await requirePostgres(where);
    log(`${where} without ${guard.name}: ${guard.description}`);
    const { violated, isCaught, seconds, proof } = await sabotage(guard, where, { seed, fans, log });
    print(`\n${formatReport(proof.verdicts)}\n`);
    isAllCaught &&= isCaught;
    const found = isCaught ? violated.join(', ') : '**not detected**';
    rows.push(`| ${guard.name} | ${where} | ${found} | ${seconds.toFixed(0)} s |`);
  }
  print(['| removed guard | mode | violated invariants | after |', '|---|---|---|---|', ...rows].join('\n'));
  return isAllCaught;
}

function formatList(): string {
  const faults = new Set([...faultsOf('embedded'), ...faultsOf('cluster')]);
  const line = (name: string, description: string): string => `  ${name.padEnd(15)} ${description}`;
  return [
    'Faults:',
    ...[...faults].map(({ name, description, modes }) => line(name, `${description} (${modes.join(', ')})`)),
    '\nGuards:',
    ...SABOTAGES.map(({ name, description }) => line(name, description)),
    '\nInvariants:',
    ...INVARIANTS.map(({ name, description }) => line(name, description)),
  ].join('\n');
}

// Exit code 130 for an interrupted run. The PostgreSQL server is stopped by its guard process when this one exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

try {
  const args = parseArguments(process.argv.slice(2));
  if (!args) print(HELP);
  else if (args.list) print(formatList());
  else process.exitCode = (await (args.sabotage === undefined ? proveAll(args) : sabotageAll(args))) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
