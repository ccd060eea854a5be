import { randomInt } from 'node:crypto';
import { expect } from 'vitest';
import { everyInvariantHolds } from '../../../prove/check/index.js';
import type { Mode } from '../../../prove/deployment/deployment.js';
import { formatReport } from '../../../prove/report.js';
import { type Plan, type Proof, prove } from '../../../prove/run.js';
import { startServer } from '../server.js';

const FANS = 100;
/** A run lasts until every fault was injected once, even if that takes longer. */
const MINUTES = 0.05;

/** The shortest possible `npm run prove`. */
export function runShortProof(mode: Mode, overrides: Partial<Plan> = {}): Promise<Proof> {
  const seed = randomInt(1, 2 ** 31);
  // Needed to repeat a failed run.
  process.stdout.write(`${mode}, seed ${seed}\n`);
  return prove({
    mode,
    seed,
    minutes: MINUTES,
    fans: FANS,
    faults: undefined,
    start: (env) => startServer(env),
    log: () => undefined,
    ...overrides,
  });
}

export function expectEveryInvariantHolds({ verdicts }: Proof): void {
  expect(everyInvariantHolds(verdicts), formatReport(verdicts)).toBe(true);
}
