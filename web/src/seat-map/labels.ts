import { formatMoney } from '../i18n/format.js';
import { formatSeats } from '../i18n/seat-words.js';
import type { Lang } from '../i18n/dictionary.js';
import type { Chart } from './chart/chart.js';
import { AVAILABLE, HELD, MINE } from './chart/seat-states.js';
import { type Texts, textsOf } from './texts.js';

/** The section, row and number of a seat. */
export function seatName(chart: Chart, seat: number, lang: Lang): string {
  const row = chart.rows[chart.seats.row[seat] ?? 0];
  const section = chart.sections[row?.section ?? 0];
  const position = {
    section: section?.name ?? '',
    row: row?.name ?? '',
    number: chart.seats.number[seat] ?? '',
  };
  return formatSeats(lang, [position]);
}

export function gradeAndPrice(chart: Chart, grade: number, lang: Lang): string {
  const of = chart.grades[grade];
  return of ? `${textsOf(lang).grade(of.grade)} ${formatMoney(lang, of.price, chart.currency)}` : '';
}

export const seatPrice = (chart: Chart, seat: number, lang: Lang): string =>
  gradeAndPrice(chart, chart.seats.grade[seat] ?? 0, lang);

export function stateName(texts: Texts, code: number, isChosen: boolean): string {
  if (isChosen) return texts.chosen;
  if (code === AVAILABLE) return texts.free;
  if (code === MINE) return texts.mine;
  return code === HELD ? texts.held : texts.sold;
}

/** The full description of a seat for screen readers. */
export function fullLabel(chart: Chart, seat: number, code: number, isChosen: boolean, lang: Lang): string {
  return [
    seatName(chart, seat, lang),
    seatPrice(chart, seat, lang),
    stateName(textsOf(lang), code, isChosen),
  ].join(', ');
}
