// `npm test` runs every check in order and stops at the first that fails; `npm test -- test/unit` runs only those tests.
import { spawnSync } from 'node:child_process';

const checks = ['format:check', 'lint', 'typecheck', 'walls', 'deadcode', 'vitest'];
const vitestArgs = process.argv.slice(2);

for (const check of vitestArgs.length > 0 ? ['vitest'] : checks) {
  const startedMs = performance.now();
  const args = check === 'vitest' ? vitestArgs : [];
  const { status, error } = spawnSync('npm', ['run', '--silent', check, '--', ...args], { stdio: 'inherit' });
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  const passed = status === 0;
  process.stdout.write(`${passed ? 'ok' : 'FAILED'}: ${check} (${seconds} s)\n`);
  if (error) throw error;
  if (!passed) process.exit(status ?? 1);
}
