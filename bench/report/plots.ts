import type { Result } from '../result.js';
import { medianOf } from '../stats.js';
import { judge } from '../targets.js';
import { figureOf, formatFigure } from './figures.js';
import { type Bar, barPlot, linePlot } from './svg.js';

/** Each plot of a result by the name of its file; a plot without anything in it is left out. */
export function plotsOf(result: Result): ReadonlyMap<string, string> {
  const plots = new Map<string, string>();
  const bars = (file: string, title: string, list: readonly Bar[]): void => {
    if (list.length > 0) plots.set(file, barPlot(title, list));
  };
  bars('rates.svg', 'Answers a second, medians', ratesOf(result, 'perSecond'));
  bars('latency-p99.svg', 'p99 in milliseconds, medians', ratesOf(result, 'p99Ms'));
  bars('ratios.svg', 'Against the limit of the machine (line: target)', ratiosOf(result));
  for (const { id, points, ...words } of result.series) {
    if (points.length > 0) plots.set(`${id}.svg`, linePlot({ ...words, points: mediansByX(points) }));
  }
  return plots;
}

const ratesOf = ({ rows }: Result, figure: string): Bar[] =>
  rows.flatMap((row) => {
    const spread = figureOf(row, figure);
    if (!spread) return [];
    return [{ label: row.title, value: spread.median, shown: formatFigure(figure, spread.median) }];
  });

const ratiosOf = (result: Result): Bar[] =>
  judge(result).flatMap(({ target, bound, measured }) => {
    const { figure, atLeast } = bound;
    if (!measured || atLeast === undefined || !figure.startsWith('of')) return [];
    const shown = formatFigure(figure, measured.median);
    return [{ label: target.what, value: measured.median, shown, mark: atLeast }];
  });

function mediansByX(points: readonly { x: number; y: number }[]): { x: number; y: number }[] {
  const xs = [...new Set(points.map(({ x }) => x))];
  return xs.map((x) => ({ x, y: medianOf(points.filter((point) => point.x === x).map(({ y }) => y)) }));
}
