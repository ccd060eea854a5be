import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Result } from '../result.js';
import { markdownOf } from './markdown.js';
import { plotsOf } from './plots.js';

/** result.json, report.md and the plots; written over those of an earlier run. */
export function writeReport(directory: string, result: Result): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'result.json'), `${JSON.stringify(result, null, 2)}\n`);
  const plots = plotsOf(result);
  for (const [file, svg] of plots) writeFileSync(join(directory, file), svg);
  writeFileSync(join(directory, 'report.md'), markdownOf(result, [...plots.keys()]));
}
