import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Mode } from './world/world.js';

export const HELP = `npm run prove -- [options]

  --mode embedded|cluster  one process with SQLite inside, or three on PostgreSQL (default: one after the other)
  --minutes N              how long faults strike in each mode (default 1; parts like 0.5 are fine)
  --seed N                 the choices of everybody come from it (default: a new one, which is printed)
  --fans N                 how many at once (default 200)
  --faults A,B|none        only these faults (default: all; --list names them)
  --sabotage GUARD|all     takes a guard away from a copy of Foyer, and fails unless that is noticed
  --list                   the names of the faults, the guards and the promises`;

export interface Arguments {
  readonly modes: readonly Mode[];
  /** Undefined when both were meant because none was named. */
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

function number(name: string, text: string, max: number, pattern: RegExp): number {
  const value = pattern.test(text) ? Number(text) : Number.NaN;
  if (!(value > 0 && value <= max))
    throw new Error(`--${name} must be a number above 0, and at most ${max}.`);
  return value;
}

/** Undefined when help was asked for. Throws a sentence when something is wrong. */
export function readArguments(args: readonly string[]): Arguments | undefined {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  if (values.help) return undefined;
  const mode = MODES.find((each) => each === values.mode);
  if (values.mode !== undefined && mode === undefined) throw new Error('--mode must be embedded or cluster.');
  const { faults, sabotage } = values;
  if (sabotage !== undefined && faults !== undefined)
    throw new Error('--sabotage brings its own faults: leave --faults out.');
  return {
    mode,
    modes: mode === undefined ? MODES : [mode],
    minutes: number('minutes', values.minutes, MINUTES_MAX, /^\d{1,4}(\.\d{1,3})?$/),
    seed:
      values.seed === undefined
        ? randomInt(1, SEED_MAX)
        : number('seed', values.seed, SEED_MAX, /^\d{1,10}$/),
    fans: number('fans', values.fans, FANS_MAX, /^\d{1,4}$/),
    faults: faults === undefined ? undefined : faults === 'none' ? [] : faults.split(',').filter(Boolean),
    sabotage,
    list: values.list,
  };
}
