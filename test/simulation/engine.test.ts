import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Failure, Theatre } from '../support/simulation/seeds.js';

const SEEDS = 1500;
/** Enough that there are deaths, chosen seats and dice among them. */
const SEEDS_TWICE = 15;

/** `FOYER_SIMULATION_SEED=123` runs the history of that seed alone; `from-to` a stretch of them. */
function wantedSeeds(): readonly [from: number, to: number] {
  const [from, to = from] = (process.env['FOYER_SIMULATION_SEED'] ?? `1-${SEEDS}`).split('-').map(Number);
  return [from ?? 1, to ?? SEEDS];
}

const tellOf = ({ seed, broken, trace }: Failure): string =>
  [
    `seed ${seed}: ${broken.message}`,
    'The shortest history that was found to do so:',
    ...trace,
    `Again: FOYER_SIMULATION_SEED=${seed} npm test -- test/simulation/engine.test.ts`,
  ].join('\n');

describe('the engine on SQLite', () => {
  let theatre: Theatre;

  beforeAll(async () => {
    theatre = await Theatre.open();
  });

  afterAll(() => {
    theatre.close();
  });

  it(
    'keeps its promises in every history, whatever comes at once and wherever the process dies',
    { timeout: 300_000 },
    async () => {
      const [from, to] = wantedSeeds();
      for (let seed = from; seed <= to; seed += 1) {
        const failure = await theatre.try(seed, 'as short as it can be');
        if (failure) expect.fail(tellOf(failure));
      }
    },
  );

  it('does the same again for the same seed', async () => {
    for (let seed = 1; seed <= SEEDS_TWICE; seed += 1) {
      expect(await theatre.traceOf(seed)).toEqual(await theatre.traceOf(seed));
    }
  });
});
