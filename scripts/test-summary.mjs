// Prints the result of the last `CI=true npm test` as one line; exits with 1 if no test was run.
import { existsSync, readFileSync } from 'node:fs';

const RESULTS = new URL('../test-results/vitest.json', import.meta.url);

/** @typedef {{ status: string, assertionResults: { status: string }[] }} TestFile */

/** @type {{ testResults: TestFile[] }} */
const { testResults } = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : { testResults: [] };

if (testResults.length > 0) {
  const tests = testResults.flatMap((file) => file.assertionResults);
  const passed = tests.filter(({ status }) => status === 'passed').length;
  const failed = tests.filter(({ status }) => status === 'failed').length;
  // A file that could not be loaded, or whose hook failed, has no failed test but counts as one failure.
  const failedFiles = testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every(({ status }) => status !== 'failed'),
  ).length;
  const skipped = tests.length - passed - failed;
  process.stdout.write(
    `${passed} passed, ${failed + failedFiles} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
  );
} else {
  process.stderr.write('no test results\n');
  process.exitCode = 1;
}
