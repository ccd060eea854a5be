import type { Result, Row } from '../result.js';
import { judge, type Judged } from '../targets.js';
import { figureOf, formatFigure, formatSpread, mainFigureOf } from './figures.js';

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const NONE = '–';
const LOAD_SHARE_MAX = 0.95;

function verdict({ holds }: Judged, size: Result['size']): string {
  if (holds === undefined) return NONE;
  // Only the full size is what the targets speak of.
  if (size !== 'full') return holds ? 'holds here' : 'missed here';
  return holds ? 'holds' : '**missed**';
}

function boundOf({ bound }: Judged): string {
  const { figure, atLeast, atMost } = bound;
  const against = AGAINST[figure] ?? '';
  return atLeast === undefined
    ? `≤ ${formatFigure(figure, atMost ?? 0)}${against}`
    : `≥ ${formatFigure(figure, atLeast)}${against}`;
}

const AGAINST: Readonly<Record<string, string>> = {
  ofFastify: ' of Fastify',
  ofPgbench: ' of pgbench',
  ofShortLine: ' of the short line',
};

export const targetsTable = (result: Result): string =>
  table(
    ['target', 'bound', 'median (spread)', ''],
    judge(result).map((judged) => [
      judged.target.what,
      boundOf(judged),
      judged.measured ? formatSpread(judged.bound.figure, judged.measured) : NONE,
      verdict(judged, result.size),
    ]),
  );

const statusesOf = ({ rounds }: Row): string =>
  Object.entries(rounds.at(-1)?.statuses ?? {})
    .map(([status, count]) => `${status}: ${count.toLocaleString('en')}`)
    .join(', ');

function rowCells(row: Row): string[] {
  const main = mainFigureOf(row);
  const what = row.faults.length > 0 ? '**failed**' : (row.absent ?? NONE);
  const median = (name: string): string => {
    const spread = figureOf(row, name);
    return spread ? formatFigure(name, spread.median) : '';
  };
  return [
    row.title,
    main ? formatSpread(main.name, main.spread) : what,
    median('ofFastify'),
    median('ofPgbench'),
    median('p50Ms'),
    median('p99Ms'),
    median('p999Ms'),
    statusesOf(row),
  ];
}

const HEAD = [
  'case',
  'median (spread)',
  'of Fastify',
  'of pgbench',
  'p50',
  'p99',
  'p99.9',
  'answers (last round)',
];

export function casesTable({ rows, mode }: Result): string {
  const all = [HEAD, ...rows.map(rowCells)];
  // Only a cluster has pgbench beside it.
  const kept = all.map((cells) => cells.filter((_, index) => mode === 'cluster' || index !== 3));
  const [head = [], ...rest] = kept;
  return table(head, rest);
}

/** Where the load generator was the bottleneck, the server could have done more. */
export function loadNote({ rows }: Result): string {
  const limited = rows.filter((row) => (figureOf(row, 'loadShare')?.median ?? 0) > LOAD_SHARE_MAX);
  if (limited.length === 0) return '';
  const titles = limited.map(({ title }) => title).join('; ');
  return `The load generator itself was busy for more than ${LOAD_SHARE_MAX * 100} % of the time in: ${titles}. These figures are lower bounds.`;
}

const faultsOf = ({ rows }: Result): string =>
  rows.flatMap(({ title, faults }) => faults.map((fault) => `- ${title}: ${fault}`)).join('\n');

export const machineList = ({ machine }: Result): string =>
  Object.entries(machine)
    .map(([name, what]) => `- ${name}: ${what}`)
    .join('\n');

/** The whole report of one run. */
export function markdownOf(result: Result, plots: readonly string[]): string {
  const { mode, size, rounds, startedAt, tookSeconds } = result;
  const faults = faultsOf(result);
  return `${[
    `# Benchmark: ${mode}, ${size}`,
    `Begun ${startedAt}, ${rounds} rounds, ${Math.round(tookSeconds)} s. Medians of the rounds, with the lowest and the highest.`,
    size === 'full'
      ? ''
      : '**Smaller than the full size: whether the targets hold cannot be told from this.**',
    '## Targets',
    targetsTable(result),
    '## Cases',
    casesTable(result),
    loadNote(result),
    faults === '' ? '' : `## Failed\n\n${faults}`,
    '## Plots',
    plots.map((plot) => `![${plot}](${plot})`).join('\n'),
    '## Machine',
    machineList(result),
  ]
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}
