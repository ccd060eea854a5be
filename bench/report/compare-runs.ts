import { areDisjoint } from '../measurement/statistics.js';
import type { Result, Row } from '../result.js';
import { figureSpread, formatFigure } from './format-figure.js';
import { renderTable } from './render-report.js';

const COMPARED_FIGURES: readonly (readonly [figure: string, isMoreBetter: boolean])[] = [
  ['perSecond', true],
  ['ofFastify', true],
  ['ofPgbench', true],
  ['p50Ms', false],
  ['p99Ms', false],
  ['bytesEach', false],
  ['readySeconds', false],
  ['ms', false],
  ['seconds', false],
];

/** Calls a change better or worse only if the rounds of the two runs do not overlap. */
export function renderComparison(before: Result, after: Result): string {
  const rows = before.rows.flatMap((rowBefore) => {
    const rowAfter = after.rows.find(({ id }) => id === rowBefore.id);
    if (!rowAfter) return [];
    return COMPARED_FIGURES.flatMap(([figure, isMoreBetter]) =>
      compareFigure(rowBefore, rowAfter, figure, isMoreBetter),
    );
  });
  return `${renderWarning(before, after)}${renderTable(['case', 'figure', 'before', 'after', 'change', ''], rows)}`;
}

function renderWarning(before: Result, after: Result): string {
  const cpus = [before.machine['CPU'], after.machine['CPU']];
  if (cpus[0] !== cpus[1]) return `Different machines, compare only ratios: ${JSON.stringify(cpus)}\n\n`;
  const differences = (['mode', 'size'] as const).filter((name) => before[name] !== after[name]);
  return differences.length > 0
    ? `Different ${differences.join(' and ')}: most figures are not comparable.\n\n`
    : '';
}

/** The cells of one table row. None when one of the runs does not have the figure. */
function compareFigure(rowBefore: Row, rowAfter: Row, figure: string, isMoreBetter: boolean): string[][] {
  const [before, after] = [figureSpread(rowBefore, figure), figureSpread(rowAfter, figure)];
  if (!before || !after || before.median === 0) return [];
  const change = after.median / before.median - 1;
  const percent = `${change >= 0 ? '+' : '−'}${(Math.abs(change) * 100).toFixed(1)} %`;
  const verdict = change > 0 === isMoreBetter ? 'better' : '**worse**';
  return [
    [
      rowAfter.title,
      figure,
      formatFigure(figure, before.median),
      formatFigure(figure, after.median),
      percent,
      areDisjoint(before, after) ? verdict : '',
    ],
  ];
}
