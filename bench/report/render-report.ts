import type { Result, Row } from '../result.js';
import { figureSpread, formatCount, formatFigure, formatSpread, mainFigure } from './format-figure.js';
import { evaluateTargets, type TargetResult } from './targets.js';

export const renderTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const NONE = '–';
const LOAD_SHARE_MAX = 0.95;

/** The targets apply to the full size only, so smaller sizes get a qualified verdict. */
function renderVerdict({ isMet }: TargetResult, size: Result['size']): string {
  if (isMet === undefined) return NONE;
  if (size !== 'full') return isMet ? 'met here' : 'missed here';
  return isMet ? 'met' : '**missed**';
}

const REFERENCE_NAMES: Readonly<Record<string, string>> = {
  ofFastify: ' of Fastify',
  ofPgbench: ' of pgbench',
  ofShortLine: ' of the short queue',
};

function renderBound({ bound: { figure, atLeast, atMost } }: TargetResult): string {
  const value = formatFigure(figure, atLeast ?? atMost ?? 0);
  return `${atLeast === undefined ? '≤' : '≥'} ${value}${REFERENCE_NAMES[figure] ?? ''}`;
}

export const renderTargets = (result: Result): string =>
  renderTable(
    ['target', 'bound', 'median (spread)', ''],
    evaluateTargets(result).map((targetResult) => [
      targetResult.target.title,
      renderBound(targetResult),
      targetResult.measured ? formatSpread(targetResult.bound.figure, targetResult.measured) : NONE,
      renderVerdict(targetResult, result.size),
    ]),
  );

const renderStatuses = ({ rounds }: Row): string =>
  Object.entries(rounds.at(-1)?.statuses ?? {})
    .map(([status, count]) => `${status}: ${formatCount(count)}`)
    .join(', ');

export function renderCases({ rows, mode }: Result): string {
  // Only cluster mode measures pgbench.
  const pgbenchColumn = <Cell>(cell: Cell): Cell[] => (mode === 'cluster' ? [cell] : []);

  function renderRow(row: Row): string[] {
    const main = mainFigure(row);
    const reason = row.faults.length > 0 ? '**failed**' : (row.absent ?? NONE);
    const renderMedian = (name: string): string => {
      const spread = figureSpread(row, name);
      return spread ? formatFigure(name, spread.median) : '';
    };
    return [
      row.title,
      main ? formatSpread(main.name, main.spread) : reason,
      renderMedian('ofFastify'),
      ...pgbenchColumn(renderMedian('ofPgbench')),
      renderMedian('p50Ms'),
      renderMedian('p99Ms'),
      renderMedian('p999Ms'),
      renderStatuses(row),
    ];
  }

  const head = [
    'case',
    'median (spread)',
    'of Fastify',
    ...pgbenchColumn('of pgbench'),
    'p50',
    'p99',
    'p99.9',
  ];
  return renderTable([...head, 'responses (last round)'], rows.map(renderRow));
}

/** Names the cases in which the load generator was the bottleneck. Empty when there are none. */
export function renderLoadGeneratorNote({ rows }: Result): string {
  const limited = rows.filter((row) => (figureSpread(row, 'loadShare')?.median ?? 0) > LOAD_SHARE_MAX);
  if (limited.length === 0) return '';
  const titles = limited.map(({ title }) => title).join('; ');
  return `The load generator used more than ${LOAD_SHARE_MAX * 100} % of a core in: ${titles}. These figures are lower bounds.`;
}

const renderFailures = ({ rows }: Result): string =>
  rows.flatMap(({ title, faults }) => faults.map((fault) => `- ${title}: ${fault}`)).join('\n');

export const renderMachine = ({ machine }: Result): string =>
  Object.entries(machine)
    .map(([name, value]) => `- ${name}: ${value}`)
    .join('\n');

/** Joins the parts that are not empty. */
export const joinParagraphs = (parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join('\n\n');

export function renderReport(result: Result, plots: readonly string[]): string {
  const { mode, size, rounds, startedAt, tookSeconds } = result;
  const failures = renderFailures(result);
  const report = joinParagraphs([
    `# Benchmark: ${mode}, ${size}`,
    `Started ${startedAt}, ${rounds} rounds, ${Math.round(tookSeconds)} s. Figures are medians of the rounds, with the lowest and the highest round.`,
    size === 'full'
      ? ''
      : '**Smaller than the full size: this run cannot show whether the targets are met.**',
    '## Targets',
    renderTargets(result),
    '## Cases',
    renderCases(result),
    renderLoadGeneratorNote(result),
    failures === '' ? '' : `## Failures\n\n${failures}`,
    '## Plots',
    plots.map((plot) => `![${plot}](${plot})`).join('\n'),
    '## Machine',
    renderMachine(result),
  ]);
  return `${report}\n`;
}
