/** Writes the figures of the stored results into docs/performance.md, between its marker comments. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { type Mode, readResult, type Result } from '../result.js';
import {
  joinParagraphs,
  renderCases,
  renderLoadGeneratorNote,
  renderMachine,
  renderTargets,
} from './render-report.js';

export const DOCS = 'docs/performance.md';
export const RESULTS = 'bench/results';
const MODES: readonly Mode[] = ['embedded', 'cluster'];

function renderSection(mode: Mode, result: Result | undefined): string {
  if (!result)
    return `No result is stored yet. Run \`npm run bench -- --mode ${mode}\` on an idle machine to write it here.`;
  const file = `bench/results/${mode}/result.json`;
  return joinParagraphs([
    `From [${file}](../${file}), started ${result.startedAt}, ${result.rounds} rounds.`,
    renderTargets(result),
    renderCases(result),
    renderLoadGeneratorNote(result),
    'Machine:',
    renderMachine(result),
  ]);
}

/** Returns the page with the section of each mode replaced. */
export async function renderDocs(page: string, results: ReadonlyMap<Mode, Result>): Promise<string> {
  let text = page;
  for (const mode of MODES) {
    const [startMarker, endMarker] = [`<!-- bench:${mode} -->`, `<!-- /bench:${mode} -->`];
    const [start, end] = [text.indexOf(startMarker), text.indexOf(endMarker)];
    if (start < 0 || end < start) throw new Error(`${DOCS} has no marker comments for ${mode}`);
    const section = renderSection(mode, results.get(mode));
    text = `${text.slice(0, start)}${startMarker}\n\n${section}\n\n${text.slice(end)}`;
  }
  return format(text, { ...(await resolveConfig(DOCS)), parser: 'markdown' });
}

export function readStoredResults(): Map<Mode, Result> {
  const files = MODES.map((mode) => [mode, join(RESULTS, mode, 'result.json')] as const);
  return new Map(
    files.filter(([, file]) => existsSync(file)).map(([mode, file]) => [mode, readResult(file)]),
  );
}

export async function writeDocs(): Promise<void> {
  writeFileSync(DOCS, await renderDocs(readFileSync(DOCS, 'utf8'), readStoredResults()));
}
