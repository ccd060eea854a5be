/** `npm run prove`: beats a started Foyer with load and faults, and checks what was seen against what is promised. */
import { lookForBinaries } from '../test/support/postgres/binaries.js';
import { startServer } from '../test/support/server.js';
import { type Arguments, HELP, readArguments } from './arguments.js';
import { PLEDGES } from './check/index.js';
import { faultsOf } from './faults/index.js';
import { report } from './report.js';
import { prove, type Proof } from './run.js';
import { GUARDS } from './sabotage/guards.js';
import { guardsNamed, sabotage } from './sabotage/index.js';
import type { Mode } from './world/world.js';

/** From here on a run is long enough that what is never given back shows. */
const SOAK_SECONDS = 300;
const GROWTH_MAX = 1.3;

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const say = (text: string): void => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)}  ${text}\n`);
};

async function requirePostgres(mode: Mode): Promise<void> {
  if (mode === 'cluster' && (await lookForBinaries()) === undefined)
    throw new Error('PostgreSQL was not found: install 15 or newer, or choose --mode embedded.');
}

const isKept = ({ verdicts }: Proof): boolean =>
  verdicts.every(({ checked, violations }) => checked > 0 && violations.length === 0);

/** What the processes kept in memory, in the middle of the first and of the last quarter of the run. */
function memoryOf({ residentBytes }: Proof): { firstMegabytes: number; lastMegabytes: number } {
  const quarter = Math.max(1, Math.floor(residentBytes.length / 4));
  const median = (part: readonly number[]): number =>
    Math.round(([...part].sort((a, b) => a - b)[part.length >> 1] ?? 0) / 2 ** 20);
  return {
    firstMegabytes: median(residentBytes.slice(0, quarter)),
    lastMegabytes: median(residentBytes.slice(-quarter)),
  };
}

/** A short run says nothing about memory. */
function isFlat(proof: Proof): boolean {
  const { firstMegabytes, lastMegabytes } = memoryOf(proof);
  return proof.seconds < SOAK_SECONDS || lastMegabytes <= GROWTH_MAX * firstMegabytes;
}

function summary(mode: Mode, seed: number, proof: Proof): string {
  const { calls, unknown, seconds, strikes } = proof;
  const { firstMegabytes, lastMegabytes } = memoryOf(proof);
  return (
    `${mode}, seed ${seed}: ${calls} calls in ${seconds.toFixed(0)} s, ${unknown} without an answer at first, ` +
    `${strikes.length} faults; memory ${firstMegabytes} MB in the first quarter, ${lastMegabytes} MB in the last` +
    (isFlat(proof) ? '' : ': IT GREW')
  );
}

async function proveAll({ modes, seed, minutes, fans, faults }: Arguments): Promise<boolean> {
  let isAllKept = true;
  for (const mode of modes) {
    await requirePostgres(mode);
    say(`${mode}: ${fans} fans for ${minutes} min, seed ${seed}`);
    const proof = await prove({ mode, seed, minutes, fans, faults, start: (env) => startServer(env), say });
    print(`\n${summary(mode, seed, proof)}\n${report(proof.verdicts)}`);
    isAllKept &&= isKept(proof) && isFlat(proof);
  }
  print(
    isAllKept ? '\nEvery promise was kept.' : `\nA promise was broken, or not tried. The seed was ${seed}.`,
  );
  return isAllKept;
}

async function sabotageAll({ sabotage: name = '', mode, seed, fans }: Arguments): Promise<boolean> {
  const rows: string[] = [];
  let isAllCaught = true;
  for (const { guard, mode: where } of guardsNamed(name, mode)) {
    await requirePostgres(where);
    say(`${where} without ${guard.name}: ${guard.says}`);
    const { broken, isCaught, seconds, proof } = await sabotage(guard, where, { seed, fans, say });
    print(`\n${report(proof.verdicts)}\n`);
    isAllCaught &&= isCaught;
    const found = isCaught ? broken.join(', ') : '**not noticed**';
    rows.push(`| ${guard.name} | ${where} | ${found} | ${seconds.toFixed(0)} s |`);
  }
  print(
    [
      '| guard that was taken away | mode | promises found broken | after |',
      '|---|---|---|---|',
      ...rows,
    ].join('\n'),
  );
  return isAllCaught;
}

function list(): string {
  const faults = [
    ...new Map(
      [...faultsOf('embedded'), ...faultsOf('cluster')].map((fault) => [fault.name, fault]),
    ).values(),
  ];
  const lines = (items: readonly { name: string; says: string }[]): string =>
    items.map(({ name, says }) => `  ${name.padEnd(15)} ${says}`).join('\n');
  const named = faults.map(({ name, says, modes }) => ({ name, says: `${says} (${modes.join(', ')})` }));
  return `Faults:\n${lines(named)}\n\nGuards:\n${lines(GUARDS)}\n\nPromises:\n${lines(PLEDGES)}`;
}

// Ended by its user: what was started goes, too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

try {
  const args = readArguments(process.argv.slice(2));
  if (!args) print(HELP);
  else if (args.list) print(list());
  else process.exitCode = (await (args.sabotage === undefined ? proveAll(args) : sabotageAll(args))) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
