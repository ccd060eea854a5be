/** `npm run soak`: a hundred sales open and close one after the other; nothing may grow, and every invariant must hold. */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { startServer } from '../../test/support/server.js';
import { parseNumber } from '../arguments.js';
import { everyInvariantHolds } from '../check/index.js';
import { formatReport } from '../report.js';
import { prove } from '../run.js';
import { type Sample, takeSample } from './sample.js';
import { RETENTION_ENV } from './tables.js';
import { formatSoak, judgeSoak } from './verdict.js';

const HELP = `npm run soak -- [options]

  --mode embedded|cluster  one process with embedded SQLite (default), or three on PostgreSQL
  --minutes N              how long it lasts (default 60, at most 110)
  --seed N                 seed of all random choices (default: a new one, which is printed)
  --fans N                 number of concurrent fans (default 50, at most 200)`;

/** Four sales open and close in each. */
const ROUNDS = 25;
/** Ended places are deleted after two hours, and the checker needs all of them. */
const MINUTES_MAX = 110;
const FANS_MAX = 200;
const SEED_MAX = 2 ** 31;

const log = (text: string): void => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)}  ${text}\n`);
};

async function soak(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      mode: { type: 'string', default: 'embedded' },
      minutes: { type: 'string', default: '60' },
      seed: { type: 'string', default: String(randomInt(1, SEED_MAX)) },
      fans: { type: 'string', default: '50' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(`${HELP}\n`);
    return true;
  }
  const { mode } = values;
  if (mode !== 'embedded' && mode !== 'cluster') throw new Error('--mode must be embedded or cluster.');
  const minutes = parseNumber('minutes', values.minutes, MINUTES_MAX, /^\d{1,3}(\.\d{1,3})?$/);
  const seed = parseNumber('seed', values.seed, SEED_MAX, /^\d{1,10}$/);
  const fans = parseNumber('fans', values.fans, FANS_MAX, /^\d{1,3}$/);
  log(`${mode}: ${4 * ROUNDS} sales and ${fans} fans for ${minutes} min, seed ${seed}`);

  const samples: Sample[] = [];
  const proof = await prove({
    mode,
    seed,
    minutes,
    fans,
    rounds: ROUNDS,
    faults: [],
    start: (env) => startServer({ ...RETENTION_ENV, ...env }),
    log,
    onProgress: (deployment) => {
      takeSample(deployment).then(
        (sample) => samples.push(sample),
        (error: unknown) => {
          log(`no sample: ${String(error)}`);
        },
      );
    },
  });
  const lines = judgeSoak(samples);
  const isFlat = lines.every(({ isOk }) => isOk);
  const isCorrect = everyInvariantHolds(proof.verdicts);
  process.stdout.write(
    `\n${formatReport(proof.verdicts)}\n\n${formatSoak(lines)}\n\n` +
      `${proof.calls} calls in ${proof.seconds.toFixed(0)} s, ${samples.length} samples: ` +
      `${isFlat ? 'nothing grew' : 'SOMETHING GREW'}, ` +
      `${isCorrect ? 'every invariant held' : 'AN INVARIANT WAS VIOLATED OR NOT CHECKED'}. Seed ${seed}.\n`,
  );
  return isFlat && isCorrect;
}

// Exit code 130 for an interrupted run. The PostgreSQL server is stopped by its guard process when this one exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

try {
  process.exitCode = (await soak()) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
