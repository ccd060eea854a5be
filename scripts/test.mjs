// `npm test` runs the static checks and exits at the first failure, then runs lint and the tests concurrently to their end.
// `npm test -- test/unit` runs only those tests.
import { spawn } from 'node:child_process';

const STATIC_CHECKS = ['typecheck', 'format:check', 'walls', 'deadcode'];
const CONCURRENCY = 2;
/** Takes minutes, so it runs concurrently with the tests, which often wait for timers. */
const SLOW_STATIC_CHECK = 'lint';
const vitestArgs = process.argv.slice(2);

/**
 * @param {string} check
 * @param {string[]} args
 * @param {'inherit' | 'pipe'} stdio `pipe` prints the output at the end, so that concurrent checks do not mix theirs
 * @returns {Promise<boolean>} whether the check passed
 */
async function run(check, args, stdio) {
  const startedMs = performance.now();
  const child = spawn('npm', ['run', '--silent', check, '--', ...args], { stdio: ['inherit', stdio, stdio] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  const status = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  process.stdout.write(`${output}${status === 0 ? 'ok' : 'FAILED'}: ${check} (${seconds} s)\n`);
  return status === 0;
}

async function runStaticChecks() {
  const remaining = [...STATIC_CHECKS];
  const work = async () => {
    for (let check = remaining.shift(); check !== undefined; check = remaining.shift()) {
      if (!(await run(check, [], 'pipe'))) process.exit(1);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

try {
  const { default: Database } = await import('better-sqlite3');
  new Database(':memory:').close();
} catch {
  console.error(
    'The tests need the SQLite driver (better-sqlite3), which is not installed or does not work with this Node.js: ' +
      'apt-get install python3 make g++, then run npm ci again.',
  );
  process.exit(1);
}

const runsEverything = vitestArgs.length === 0;
if (runsEverything) await runStaticChecks();
const results = await Promise.all([
  ...(runsEverything ? [run(SLOW_STATIC_CHECK, [], 'pipe')] : []),
  run('vitest', vitestArgs, 'inherit'),
]);
process.exitCode = results.every(Boolean) ? 0 : 1;
