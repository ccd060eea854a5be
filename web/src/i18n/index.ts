import { use, useMemo } from 'react';
import { useStore } from '../store/index.js';
import type { Dictionary, Lang } from './dictionary.js';
import { en } from './en/index.js';
import { explain } from './explain.js';
import { formatDate, formatDuration, formatMoney, formatNumber } from './format.js';
import { gradeName } from './grade-name.js';
import { ko } from './ko/index.js';
import { langStore } from './lang-store.js';
import { formatSeats, type SeatPosition } from './seat-words.js';
import { VenueZone } from './venue-zone.js';

export { type Dictionary, type Lang, LANG_NAMES, LANGS } from './dictionary.js';
export { decimalsOf, formatClock } from './format.js';
export { VenueZone } from './venue-zone.js';
export { langStore } from './lang-store.js';

const DICTIONARIES: Readonly<Record<Lang, Dictionary>> = { ko, en };

export const useLang = (): Lang => useStore(langStore);

/** The texts in the current language. */
export const useText = (): Dictionary => DICTIONARIES[useLang()];

/** Formatting functions for the current language and the time zone of the venue: the given one, or that of this part of the page. */
export function useFormat(venueZone?: string) {
  const lang = useLang();
  const zoneOfPage = use(VenueZone);
  const timeZone = venueZone ?? zoneOfPage;
  return useMemo(
    () => ({
      money: (amount: number, currency: string) => formatMoney(lang, amount, currency),
      grade: (name: string) => gradeName(lang, name),
      number: (value: number) => formatNumber(lang, value),
      date: (at: string | number, style?: Parameters<typeof formatDate>[2]) =>
        formatDate(lang, at, style, timeZone),
      seats: (seats: readonly SeatPosition[]) => formatSeats(lang, seats),
      duration: (ms: number) => formatDuration(lang, ms),
      problem: (error: unknown) => explain(DICTIONARIES[lang], error),
    }),
    [lang, timeZone],
  );
}
