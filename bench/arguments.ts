import { parseArgs } from 'node:util';
import type { Mode } from './result.js';
import type { SizeName } from './sizes.js';

export const HELP = `npm run bench -- [options]

  --mode embedded|cluster  SQLite in the server process (default), or PostgreSQL
  --quick                  smaller sizes, under three minutes; not comparable with the targets
  --smoke                  the smallest sizes, one round: only checks that every case works
  --only A,B               run only the cases whose names start with A or B
  --rounds N               number of rounds (default 3)
  --limits on|off          run the servers with rate limits that refuse nothing, to measure their cost (default off)
  --out DIRECTORY          directory of the report (default bench/results/MODE, or MODE-quick, MODE-smoke)
  --database-url URL       use this PostgreSQL server instead of a temporary one; its user needs CREATEDB
  --list                   print the names of the cases`;

export interface Arguments {
  readonly mode: Mode;
  readonly size: SizeName;
  readonly only: readonly string[];
  readonly rounds: number;
  readonly hasLimits: boolean;
  readonly out: string | undefined;
  readonly databaseUrl: string | undefined;
  readonly list: boolean;
}

const ROUNDS_DEFAULT = 3;
const ROUNDS_MAX = 100;

const OPTIONS = {
  mode: { type: 'string', default: 'embedded' },
  quick: { type: 'boolean', default: false },
  smoke: { type: 'boolean', default: false },
  only: { type: 'string' },
  rounds: { type: 'string' },
  limits: { type: 'string', default: 'off' },
  out: { type: 'string' },
  'database-url': { type: 'string' },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** Returns undefined for `--help`. Throws an error with a message for the user if an option is wrong. */
export function readArguments(args: readonly string[]): Arguments | undefined {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  if (values.help) return undefined;
  const { mode, quick, smoke } = values;
  if (mode !== 'embedded' && mode !== 'cluster') throw new Error('--mode must be embedded or cluster.');
  if (quick && smoke) throw new Error('--quick and --smoke are mutually exclusive.');
  if (values.limits !== 'on' && values.limits !== 'off') throw new Error('--limits must be on or off.');
  const databaseUrl = values['database-url'];
  if (databaseUrl !== undefined && mode !== 'cluster')
    throw new Error('--database-url requires --mode cluster.');
  return {
    mode,
    size: quick ? 'quick' : smoke ? 'smoke' : 'full',
    only: values.only?.split(',').filter(Boolean) ?? [],
    rounds: readRounds(values.rounds) ?? (smoke ? 1 : ROUNDS_DEFAULT),
    hasLimits: values.limits === 'on',
    out: values.out,
    databaseUrl,
    list: values.list,
  };
}

function readRounds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const rounds = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (rounds < 1 || rounds > ROUNDS_MAX)
    throw new Error(`--rounds must be an integer from 1 to ${ROUNDS_MAX}.`);
  return rounds;
}
