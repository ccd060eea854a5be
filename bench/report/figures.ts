import type { Row } from '../result.js';
import { type Spread, spreadOf } from '../stats.js';

/** How a figure is written, by the unit at the end of its name. */
const FORMATS: readonly (readonly [RegExp, (value: number) => string])[] = [
  [/perSecond$/i, (value) => `${grouped(value, 0)}/s`],
  [/ms$/i, (value) => `${precise(value)} ms`],
  [/seconds$/i, (value) => `${precise(value)} s`],
  [/bytes(Each)?$/i, (value) => (value < 10_000 ? `${grouped(value, 0)} B` : `${precise(value / 1000)} KB`)],
  [/^of[A-Z]/, (value) => value.toFixed(2)],
  [/ratio$/i, (value) => `${precise(value)} ×`],
];

const grouped = (value: number, digits: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: digits });

/** Three digits that count. */
const precise = (value: number): string =>
  Math.abs(value) >= 100 ? grouped(value, 0) : String(Number(value.toPrecision(3)));

export function formatFigure(name: string, value: number): string {
  const [, format] = FORMATS.find(([pattern]) => pattern.test(name)) ?? [undefined, precise];
  return format(value);
}

/** `1,234/s (1,200–1,260)` */
export const formatSpread = (name: string, { median, min, max }: Spread): string =>
  `${formatFigure(name, median)} (${formatFigure(name, min)} – ${formatFigure(name, max)})`;

/** A figure over the rounds of a row; undefined when the row does not have it. */
export function figureOf({ rounds }: Row, name: string): Spread | undefined {
  const values = rounds.flatMap(({ figures }) => figures[name] ?? []);
  return values.length === 0 ? undefined : spreadOf(values);
}

/** What a row is about, the first that it has. */
const MAIN = ['bytesEach', 'readySeconds', 'ms', 'seconds', 'perSecond'];

export function mainFigureOf(row: Row): { name: string; spread: Spread } | undefined {
  for (const name of MAIN) {
    const spread = figureOf(row, name);
    if (spread) return { name, spread };
  }
  return undefined;
}
