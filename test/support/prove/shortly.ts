import { randomInt } from 'node:crypto';
import { expect } from 'vitest';
import { report } from '../../../prove/report.js';
import { type Plan, type Proof, prove } from '../../../prove/run.js';
import type { Mode } from '../../../prove/world/world.js';
import { startServer } from '../server.js';

const FANS = 100;
/** Every fault strikes once, however long that takes. */
const MINUTES = 0.05;

/** `npm run prove`, as short as it can be. */
export function proveShortly(mode: Mode, special: Partial<Plan> = {}): Promise<Proof> {
  const seed = randomInt(1, 2 ** 31);
  // For whoever reads the log of a run that failed.
  process.stdout.write(`${mode}, seed ${seed}\n`);
  return prove({
    mode,
    seed,
    minutes: MINUTES,
    fans: FANS,
    faults: undefined,
    start: (env) => startServer(env),
    say: () => undefined,
    ...special,
  });
}

export function expectKept({ verdicts }: Proof): void {
  const isKept = verdicts.every(({ checked, violations }) => checked > 0 && violations.length === 0);
  expect(isKept, report(verdicts)).toBe(true);
}
