// `npm test` runs every check and stops at the first that fails, but for lint and tests, which both run to their end;
// `npm test -- test/unit` runs only those tests.
import { spawn } from 'node:child_process';

/** What reads the code and runs none of it, two at a time. */
const READING = ['typecheck', 'format:check', 'walls', 'deadcode'];
const AT_ONCE = 2;
/** Reads it as well, but for minutes: beside the tests, which often wait for time to pass. */
const READING_LONG = 'lint';
const vitestArgs = process.argv.slice(2);

/**
 * @param {string} check
 * @param {string[]} args
 * @param {'inherit' | 'pipe'} stdio what several write at the same time is shown one after another
 * @returns {Promise<boolean>} whether it found nothing
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

async function read() {
  const left = [...READING];
  const work = async () => {
    for (let check = left.shift(); check !== undefined; check = left.shift()) {
      if (!(await run(check, [], 'pipe'))) process.exit(1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
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

const isWhole = vitestArgs.length === 0;
if (isWhole) await read();
const found = await Promise.all([
  ...(isWhole ? [run(READING_LONG, [], 'pipe')] : []),
  run('vitest', vitestArgs, 'inherit'),
]);
process.exitCode = found.every(Boolean) ? 0 : 1;
