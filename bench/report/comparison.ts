import type { Result, Row } from '../result.js';
import { areApart } from '../stats.js';
import { figureOf, formatFigure } from './figures.js';

/** Figures that are compared, and whether more of them is better. */
const COMPARED: readonly (readonly [figure: string, moreIsBetter: boolean])[] = [
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

const HEAD = '| case | figure | before | after | change | |\n| --- | --- | --- | --- | --- | --- |';

/** Calls a change better or worse only where no round of one run lies within the rounds of the other. */
export function comparison(before: Result, after: Result): string {
  const lines = before.rows.flatMap((old) => {
    const row = after.rows.find(({ id }) => id === old.id);
    return row ? COMPARED.flatMap(([figure, more]) => lineOf(old, row, figure, more)) : [];
  });
  return [warningOf(before, after), HEAD, ...lines].filter(Boolean).join('\n');
}

function warningOf(before: Result, after: Result): string {
  const differs = (['mode', 'size'] as const).filter((name) => before[name] !== after[name]);
  const machines = JSON.stringify([before.machine['CPU'], after.machine['CPU']]);
  if (before.machine['CPU'] !== after.machine['CPU'])
    return `Not the same machine, so only ratios compare: ${machines}\n`;
  return differs.length > 0 ? `Not the same ${differs.join(' and ')}: little of this compares.\n` : '';
}

function lineOf(before: Row, after: Row, figure: string, moreIsBetter: boolean): string[] {
  const [old, fresh] = [figureOf(before, figure), figureOf(after, figure)];
  if (!old || !fresh || old.median === 0) return [];
  const change = fresh.median / old.median - 1;
  const percent = `${change >= 0 ? '+' : '−'}${(Math.abs(change) * 100).toFixed(1)} %`;
  const verdict = areApart(old, fresh) ? (change > 0 === moreIsBetter ? 'better' : '**worse**') : '';
  const cells = [
    after.title,
    figure,
    formatFigure(figure, old.median),
    formatFigure(figure, fresh.median),
    percent,
    verdict,
  ];
  return [`| ${cells.join(' | ')} |`];
}
