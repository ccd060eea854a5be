import { type Spread, spreadOf } from '../measurement/statistics.js';
import type { Row } from '../result.js';

/** How a figure is formatted, by the unit at the end of its name. */
const FORMATS: readonly (readonly [RegExp, (value: number) => string])[] = [
  [/perSecond$/i, (value) => `${formatCount(value)}/s`],
  [/ms$/i, (value) => `${formatDigits(value)} ms`],
  [/seconds$/i, (value) => `${formatDigits(value)} s`],
  [
    /bytes(Each)?$/i,
    (value) => (value < 10_000 ? `${formatCount(value)} B` : `${formatDigits(value / 1000)} KB`),
  ],
  [/^of[A-Z]/, (value) => value.toFixed(2)],
  [/ratio$/i, (value) => `${formatDigits(value)} ×`],
];

/** A whole number with thousands separators. */
export const formatCount = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: 0 });

/** Three significant digits. */
const formatDigits = (value: number): string =>
  Math.abs(value) >= 100 ? formatCount(value) : String(Number(value.toPrecision(3)));

export function formatFigure(name: string, value: number): string {
  const [, format] = FORMATS.find(([pattern]) => pattern.test(name)) ?? [undefined, formatDigits];
  return format(value);
}

/** `1,234/s (1,200/s – 1,260/s)` */
export const formatSpread = (name: string, { median, min, max }: Spread): string =>
  `${formatFigure(name, median)} (${formatFigure(name, min)} – ${formatFigure(name, max)})`;

/** The spread of a figure over all rounds, or undefined when the row does not have it. */
export function figureSpread({ rounds }: Row, name: string): Spread | undefined {
  const values = rounds.flatMap(({ figures }) => figures[name] ?? []);
  return values.length === 0 ? undefined : spreadOf(values);
}

/** The main figure of a row is the first of these that it has. */
const MAIN_FIGURES = ['bytesEach', 'readySeconds', 'ms', 'seconds', 'perSecond'];

export function mainFigure(row: Row): { name: string; spread: Spread } | undefined {
  for (const name of MAIN_FIGURES) {
    const spread = figureSpread(row, name);
    if (spread) return { name, spread };
  }
  return undefined;
}
