import { copyWithoutGuards } from '../../test/support/sabotage/copy.js';
import { prove, type Proof } from '../run.js';
import type { Mode } from '../deployment/deployment.js';
import { type SabotageCase, SABOTAGES } from './sabotages.js';

export type { SabotageCase } from './sabotages.js';

/** Each run is short: a missing guard is usually detected soon, otherwise the run is repeated with another seed. */
const RUN_MINUTES = 0.2;
const TRIES_MAX = 3;

export interface SabotageResult {
  readonly guard: SabotageCase;
  readonly mode: Mode;
  /** The names of the violated invariants. */
  readonly violated: readonly string[];
  /** Whether an invariant that this guard protects was violated. */
  readonly isCaught: boolean;
  readonly seconds: number;
  readonly proof: Proof;
}

export function findSabotages(name: string, mode: Mode | undefined): { guard: SabotageCase; mode: Mode }[] {
  const guards = name === 'all' ? SABOTAGES : SABOTAGES.filter((guard) => guard.name === name);
  if (guards.length === 0)
    throw new Error(
      `There is no guard ${name}. There are: ${SABOTAGES.map((guard) => guard.name).join(', ')}, all.`,
    );
  const pairs = guards.flatMap((guard) =>
    (name === 'all' ? guard.modes : [mode ?? guard.modes[0]]).map((each) => ({ guard, mode: each })),
  );
  const wrong = pairs.find((pair) => !pair.guard.modes.includes(pair.mode));
  if (wrong)
    throw new Error(`The guard ${name} can be removed in ${wrong.guard.modes.join(' and ')} mode only.`);
  return pairs.filter((pair) => name !== 'all' || mode === undefined || pair.mode === mode);
}

/** Removes one guard from a copy of Foyer and reports whether the checker detects it. */
export async function sabotage(
  guard: SabotageCase,
  mode: Mode,
  options: { readonly seed: number; readonly fans: number; readonly log: (text: string) => void },
): Promise<SabotageResult> {
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
      const violated = proof.verdicts
        .filter(({ violations }) => violations.length > 0)
        .map(({ name }) => name);
      const isCaught = guard.breaks.some((name) => violated.includes(name));
      const seconds = (performance.now() - startedMs) / 1000;
      if (isCaught || tries + 1 === TRIES_MAX) return { guard, mode, violated, isCaught, seconds, proof };
    }
  } finally {
    await copy.remove();
  }
}
