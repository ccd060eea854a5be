import type { Chart } from './chart.js';
import { AVAILABLE, HELD } from './states.js';
import { type Lang, type Texts, textsOf } from './texts.js';

/** Money is counted in its smallest unit; won have none smaller, and Koreans write them out. */
export function price(amount: number, currency: string, lang: Lang): string {
  if (currency === 'KRW' && lang === 'ko') return `${new Intl.NumberFormat('ko-KR').format(amount)}원`;
  const format = formatOf(currency, lang);
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 0));
}

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string, lang: Lang): Intl.NumberFormat {
  const key = `${lang} ${currency}`;
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.NumberFormat(lang === 'ko' ? 'ko-KR' : 'en-US', { style: 'currency', currency });
  formats.set(key, format);
  return format;
}

/** Where a seat is: section, row and number. */
export function placeOf(chart: Chart, seat: number, lang: Lang): string {
  const texts = textsOf(lang);
  const row = chart.rows[chart.seats.row[seat] ?? 0];
  const section = chart.sections[row?.section ?? 0];
  const parts = [
    texts.section(section?.name ?? ''),
    texts.row(row?.name ?? ''),
    texts.seat(chart.seats.number[seat] ?? ''),
  ];
  return parts.join(lang === 'ko' ? ' ' : ', ');
}

export function gradeAndPrice(chart: Chart, grade: number, lang: Lang): string {
  const of = chart.grades[grade];
  return of ? `${textsOf(lang).grade(of.grade)} ${price(of.price, chart.currency, lang)}` : '';
}

export const costOf = (chart: Chart, seat: number, lang: Lang): string =>
  gradeAndPrice(chart, chart.seats.grade[seat] ?? 0, lang);

export function stateName(texts: Texts, code: number, isChosen: boolean): string {
  if (isChosen) return texts.chosen;
  if (code === AVAILABLE) return texts.free;
  return code === HELD ? texts.held : texts.sold;
}

/** Everything there is to know about a seat, as it is read out. */
export function fullLabel(chart: Chart, seat: number, code: number, isChosen: boolean, lang: Lang): string {
  return [
    placeOf(chart, seat, lang),
    costOf(chart, seat, lang),
    stateName(textsOf(lang), code, isChosen),
  ].join(', ');
}
