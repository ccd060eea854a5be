// `npm test` runs every check and stops at the first that fails; `npm test -- test/unit` runs only those tests.
import { spawn } from 'node:child_process';

/** What reads the code and runs none of it, two at a time; then the tests, which want the machine for themselves. */
const READING = ['lint', 'typecheck', 'format:check', 'walls', 'deadcode'];
const AT_ONCE = 2;
const vitestArgs = process.argv.slice(2);

/**
 * @param {string} check
 * @param {string[]} args
 * @param {'inherit' | 'pipe'} stdio what several write at the same time is shown one after another
 * @returns {Promise<void>}
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
  if (status !== 0) process.exit(typeof status === 'number' ? status : 1);
}

if (vitestArgs.length === 0) {
  const left = [...READING];
  const work = async () => {
    for (let check = left.shift(); check !== undefined; check = left.shift()) await run(check, [], 'pipe');
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
await run('vitest', vitestArgs, 'inherit');
