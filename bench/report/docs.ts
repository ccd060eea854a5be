/** Puts the figures of the stored result files into docs/performance.md, between the marks that are there for it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { type Mode, readResult, type Result } from '../result.js';
import { casesTable, loadNote, machineList, targetsTable } from './markdown.js';

export const DOCS = 'docs/performance.md';
export const RESULTS = 'bench/results';
const MODES: readonly Mode[] = ['embedded', 'cluster'];

const NOT_YET = (mode: Mode): string =>
  `No result is stored yet. \`npm run bench -- --mode ${mode}\` on a quiet machine writes it here.`;

const beginOf = (mode: Mode): string => `<!-- bench:${mode} -->`;
const endOf = (mode: Mode): string => `<!-- /bench:${mode} -->`;

const sectionOf = (result: Result): string =>
  [
    `From [bench/results/${result.mode}/result.json](../bench/results/${result.mode}/result.json), begun ${result.startedAt}, ${result.rounds} rounds.`,
    targetsTable(result),
    casesTable(result),
    loadNote(result),
    `It ran on:`,
    machineList(result),
  ]
    .filter((part) => part !== '')
    .join('\n\n');

/** The page with its sections made anew. */
export async function docsWith(page: string, results: ReadonlyMap<Mode, Result>): Promise<string> {
  let text = page;
  for (const mode of MODES) {
    const result = results.get(mode);
    const section = result ? sectionOf(result) : NOT_YET(mode);
    const [before, after] = [text.indexOf(beginOf(mode)), text.indexOf(endOf(mode))];
    if (before < 0 || after < before) throw new Error(`${DOCS} has no marks for ${mode}`);
    text = `${text.slice(0, before)}${beginOf(mode)}\n\n${section}\n\n${text.slice(after)}`;
  }
  return format(text, { ...(await resolveConfig(DOCS)), parser: 'markdown' });
}

/** The results that are kept with the source. */
export function storedResults(): Map<Mode, Result> {
  const files = MODES.map((mode) => [mode, join(RESULTS, mode, 'result.json')] as const);
  return new Map(
    files.filter(([, file]) => existsSync(file)).map(([mode, file]) => [mode, readResult(file)]),
  );
}

export async function writeDocs(): Promise<void> {
  writeFileSync(DOCS, await docsWith(readFileSync(DOCS, 'utf8'), storedResults()));
}
