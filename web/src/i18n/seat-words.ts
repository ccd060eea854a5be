import type { Lang } from './dictionary.js';

export interface SeatPosition {
  readonly section: string;
  readonly row: string;
  readonly number: string;
}

interface SeatWords {
  readonly section: (name: string) => string;
  readonly row: (name: string) => string;
  /** One or more seats of a row. */
  readonly seats: (numbers: readonly string[]) => string;
  readonly separator: string;
}

const withEnding = (name: string, ending: string): string => (name.endsWith(ending) ? name : name + ending);

const ko: SeatWords = {
  section: (name) => withEnding(name, '구역'),
  row: (name) => withEnding(name, '열'),
  seats: (numbers) => numbers.map((number) => withEnding(number, '번')).join(', '),
  separator: ' ',
};

const en: SeatWords = {
  section: (name) => (/^(section|block|zone)\b/i.test(name) ? name : `Section ${name}`),
  row: (name) => (/^row\b/i.test(name) ? name : `row ${name}`),
  seats: (numbers) => `${numbers.length === 1 ? 'seat' : 'seats'} ${numbers.join(', ')}`,
  separator: ', ',
};

export const seatWords = (lang: Lang): SeatWords => (lang === 'ko' ? ko : en);

/** F2구역 10열 13번, 14번; seats in another row follow after a dot. */
export function formatSeats(lang: Lang, seats: readonly SeatPosition[]): string {
  const words = seatWords(lang);
  const rows = new Map<string, { readonly start: string; readonly numbers: string[] }>();
  for (const { section, row, number } of seats) {
    const start = `${words.section(section)}${words.separator}${words.row(row)}`;
    const found = rows.get(start);
    if (found) found.numbers.push(number);
    else rows.set(start, { start, numbers: [number] });
  }
  return [...rows.values()]
    .map(({ start, numbers }) => `${start}${words.separator}${words.seats(numbers)}`)
    .join(' · ');
}
