import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Mode } from './deployment/deployment.js';

export const HELP = `npm run prove -- [options]

  --mode embedded|cluster  one process with embedded SQLite, or three on PostgreSQL (default: first one, then the other)
  --minutes N              how long to inject faults in each mode (default 1; fractions such as 0.5 are allowed)
  --seed N                 seed of all random choices of fans and faults (default: a new one, which is printed)
  --fans N                 number of concurrent fans (default 200)
  --faults A,B|none        inject only these faults (default: all; see --list)
  --sabotage GUARD|all     remove a guard from a copy of Foyer, and fail unless the checker detects it
  --list                   print the names of the faults, the guards and the invariants`;

export interface Arguments {
  readonly modes: readonly Mode[];
  /** Undefined when the option was not given, which means both. */
  readonly mode: Mode | undefined;
  readonly minutes: number;
  readonly seed: number;
  readonly fans: number;
  readonly faults: readonly string[] | undefined;
  readonly sabotage: string | undefined;
  readonly list: boolean;
}

const MODES: readonly Mode[] = ['embedded', 'cluster'];
const SEED_MAX = 2 ** 31;
const MINUTES_MAX = 24 * 60;
const FANS_MAX = 5000;

const OPTIONS = {
  mode: { type: 'string' },
  minutes: { type: 'string', default: '1' },
  seed: { type: 'string' },
  fans: { type: 'string', default: '200' },
  faults: { type: 'string' },
  sabotage: { type: 'string' },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

export function parseNumber(name: string, text: string, max: number, pattern: RegExp): number {
  const value = pattern.test(text) ? Number(text) : Number.NaN;
  if (!(value > 0 && value <= max))
    throw new Error(`--${name} must be a number greater than 0 and at most ${max}.`);
  return value;
}

/** Undefined for `--help`. Throws an error with a message for the user when an argument is invalid. */
export function parseArguments(args: readonly string[]): Arguments | undefined {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  if (values.help) return undefined;
  const mode = MODES.find((each) => each === values.mode);
  if (values.mode !== undefined && mode === undefined) throw new Error('--mode must be embedded or cluster.');
  const { faults, sabotage } = values;
  if (sabotage !== undefined && faults !== undefined)
    throw new Error('--sabotage chooses its own faults: leave --faults out.');
  return {
    mode,
    modes: mode === undefined ? MODES : [mode],
    minutes: parseNumber('minutes', values.minutes, MINUTES_MAX, /^\d{1,4}(\.\d{1,3})?$/),
    seed:
      values.seed === undefined
        ? randomInt(1, SEED_MAX)
        : parseNumber('seed', values.seed, SEED_MAX, /^\d{1,10}$/),
    fans: parseNumber('fans', values.fans, FANS_MAX, /^\d{1,4}$/),
    faults: faults === undefined ? undefined : faults === 'none' ? [] : faults.split(',').filter(Boolean),
    sabotage,
    list: values.list,
  };
}
