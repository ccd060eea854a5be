/** `npm run bench:compare -- BEFORE.json AFTER.json`: prints a table of the differences between two runs. */
import { renderComparison } from './report/compare-runs.js';
import { readResult } from './result.js';

const [before, after, ...rest] = process.argv.slice(2);
if (before === undefined || after === undefined || rest.length > 0) {
  process.stderr.write('Usage: npm run bench:compare -- BEFORE.json AFTER.json\n');
  process.exitCode = 1;
} else {
  process.stdout.write(`${renderComparison(readResult(before), readResult(after))}\n`);
}
