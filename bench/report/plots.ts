import { medianOf } from '../measurement/statistics.js';
import type { Result } from '../result.js';
import { figureSpread, formatFigure } from './format-figure.js';
import { type Bar, barPlot, linePlot } from './svg.js';
import { evaluateTargets } from './targets.js';

/** Returns each plot by its file name. Omits plots without data. */
export function renderPlots(result: Result): ReadonlyMap<string, string> {
  const plots = new Map<string, string>();
  const addBars = (file: string, title: string, bars: readonly Bar[]): void => {
    if (bars.length > 0) plots.set(file, barPlot(title, bars));
  };
  addBars('rates.svg', 'Completed per second, medians', figureBars(result, 'perSecond'));
  addBars('latency-p99.svg', 'p99 in milliseconds, medians', figureBars(result, 'p99Ms'));
  addBars('ratios.svg', 'Ratio to the reference, medians (line: target)', ratioBars(result));
  for (const { id, points, ...titles } of result.series) {
    if (points.length > 0) plots.set(`${id}.svg`, linePlot({ ...titles, points: mediansByX(points) }));
  }
  return plots;
}

const figureBars = ({ rows }: Result, figure: string): Bar[] =>
  rows.flatMap((row) => {
    const spread = figureSpread(row, figure);
    if (!spread) return [];
    return [{ label: row.title, value: spread.median, valueLabel: formatFigure(figure, spread.median) }];
  });

const ratioBars = (result: Result): Bar[] =>
  evaluateTargets(result).flatMap(({ target: { title }, bound: { figure, atLeast }, measured }) => {
    if (!measured || atLeast === undefined || !figure.startsWith('of')) return [];
    const valueLabel = formatFigure(figure, measured.median);
    return [{ label: title, value: measured.median, valueLabel, target: atLeast }];
  });

/** Every round adds a point for the same x. */
function mediansByX(points: readonly { x: number; y: number }[]): { x: number; y: number }[] {
  const xs = [...new Set(points.map(({ x }) => x))];
  return xs.map((x) => ({ x, y: medianOf(points.filter((point) => point.x === x).map(({ y }) => y)) }));
}
