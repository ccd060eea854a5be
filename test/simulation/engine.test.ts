import { useStoppedTimers } from '../support/stopped-timers.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Failure, SimulationRunner } from '../support/simulation/simulation-runner.js';

const SEEDS = 1500;
/** Enough seeds to include crashes, best-seat requests and uses of `Math.random`. */
const REPEATED_SEEDS = 15;

/** `FOYER_SIMULATION_SEED=123` runs only that seed, `FOYER_SIMULATION_SEED=100-200` a range. */
function seedRange(): readonly [from: number, to: number] {
  const [from, to = from] = (process.env['FOYER_SIMULATION_SEED'] ?? `1-${SEEDS}`).split('-').map(Number);
  return [from ?? 1, to ?? SEEDS];
}

const formatFailure = ({ seed, violation, trace }: Failure): string =>
  [
    `seed ${seed}: ${violation.message}`,
    'The shortest history found that violates it:',
    ...trace,
    `Repeat with: FOYER_SIMULATION_SEED=${seed} npm test -- test/simulation/engine.test.ts`,
  ].join('\n');

describe('the engine on SQLite', () => {
  useStoppedTimers();
  let runner: SimulationRunner;

  beforeAll(async () => {
    runner = await SimulationRunner.open();
  });

  afterAll(() => {
    runner.close();
  });

  it(
    'keeps every invariant in random histories of concurrent requests and crashes',
    { timeout: 300_000 },
    async () => {
      const [from, to] = seedRange();
      for (let seed = from; seed <= to; seed += 1) {
        const failure = await runner.runSeed(seed, 'shrink');
        if (failure) expect.fail(formatFailure(failure));
      }
    },
  );

  it('produces the same trace again for the same seed', async () => {
    for (let seed = 1; seed <= REPEATED_SEEDS; seed += 1) {
      expect(await runner.traceOf(seed)).toEqual(await runner.traceOf(seed));
    }
  });
});
