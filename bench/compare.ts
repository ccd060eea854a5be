/** `npm run bench:compare -- BEFORE.json AFTER.json`: what changed between two runs, as a table. */
import { comparison } from './report/comparison.js';
import { readResult } from './result.js';

const [before, after, ...rest] = process.argv.slice(2);
if (before === undefined || after === undefined || rest.length > 0) {
  process.stderr.write('npm run bench:compare -- BEFORE.json AFTER.json\n');
  process.exitCode = 1;
} else {
  process.stdout.write(`${comparison(readResult(before), readResult(after))}\n`);
}
