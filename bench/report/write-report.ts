import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Result } from '../result.js';
import { renderReport } from './render-report.js';
import { renderPlots } from './plots.js';

/** Writes result.json, report.md and the plots, and overwrites those of an earlier run. */
export function writeReport(directory: string, result: Result): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'result.json'), `${JSON.stringify(result, null, 2)}\n`);
  const plots = renderPlots(result);
  for (const [file, svg] of plots) writeFileSync(join(directory, file), svg);
  writeFileSync(join(directory, 'report.md'), renderReport(result, [...plots.keys()]));
}
