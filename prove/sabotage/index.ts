import { copyWithoutGuards } from '../../test/support/sabotage/copy.js';
import { prove, type Proof } from '../run.js';
import type { Mode } from '../deployment/deployment.js';
import { type Guard, GUARDS } from './guards.js';

export type { Guard } from './guards.js';

/** Each run is short: what is missing shows soon, or is looked for with another seed. */
const RUN_MINUTES = 0.2;
const TRIES_MAX = 3;

export interface Caught {
  readonly guard: Guard;
  readonly mode: Mode;
  /** The promises that were found broken. */
  readonly broken: readonly string[];
  /** Whether one of those was, that rest on this guard. */
  readonly isCaught: boolean;
  readonly seconds: number;
  readonly proof: Proof;
}

export function guardsNamed(name: string, mode: Mode | undefined): { guard: Guard; mode: Mode }[] {
  const guards = name === 'all' ? GUARDS : GUARDS.filter((guard) => guard.name === name);
  if (guards.length === 0)
    throw new Error(
      `There is no guard ${name}. There are: ${GUARDS.map((guard) => guard.name).join(', ')}, all.`,
    );
  const pairs = guards.flatMap((guard) =>
    (name === 'all' ? guard.modes : [mode ?? guard.modes[0]]).map((each) => ({ guard, mode: each })),
  );
  const wrong = pairs.find((pair) => !pair.guard.modes.includes(pair.mode));
  if (wrong)
    throw new Error(`The guard ${name} can be taken away in ${wrong.guard.modes.join(' and ')} mode only.`);
  return pairs.filter((pair) => name !== 'all' || mode === undefined || pair.mode === mode);
}

/** Takes one guard away from a copy of Foyer and looks whether the checker notices. */
export async function sabotage(
  guard: Guard,
  mode: Mode,
  options: { readonly seed: number; readonly fans: number; readonly log: (text: string) => void },
): Promise<Caught> {
  const copy = await copyWithoutGuards(guard.guards);
  const startedMs = performance.now();
  try {
    for (let tries = 0; ; tries += 1) {
      const proof = await prove({
        ...options,
        seed: options.seed + tries,
        mode,
        minutes: RUN_MINUTES,
        faults: guard.faults?.(mode) ?? [],
        start: copy.start,
        ...(guard.sql === undefined ? {} : { drop: guard.sql }),
      });
      const broken = proof.verdicts.filter(({ violations }) => violations.length > 0).map(({ name }) => name);
      const isCaught = guard.breaks.some((name) => broken.includes(name));
      const seconds = (performance.now() - startedMs) / 1000;
      if (isCaught || tries + 1 === TRIES_MAX) return { guard, mode, broken, isCaught, seconds, proof };
    }
  } finally {
    await copy.remove();
  }
}
