import { useMemo } from 'react';
import { useStore } from '../store/index.js';
import type { Dictionary, Lang } from './dictionary.js';
import { en } from './en/index.js';
import { explain } from './explain.js';
import { formatDate, formatDuration, formatMoney, formatNumber } from './format.js';
import { ko } from './ko/index.js';
import { langStore } from './lang-store.js';

export { type Dictionary, type Lang, LANG_NAMES, LANGS } from './dictionary.js';
export { decimalsOf, formatClock, formatSeats } from './format.js';
export { langStore } from './lang-store.js';

const DICTIONARIES: Readonly<Record<Lang, Dictionary>> = { ko, en };

export const useLang = (): Lang => useStore(langStore);

/** The texts in the current language. */
export const useText = (): Dictionary => DICTIONARIES[useLang()];

/** Formatting functions for the current language. */
export function useFormat() {
  const lang = useLang();
  return useMemo(
    () => ({
      money: (amount: number, currency: string) => formatMoney(lang, amount, currency),
      number: (value: number) => formatNumber(lang, value),
      date: (at: string | number, style?: Parameters<typeof formatDate>[2]) => formatDate(lang, at, style),
      duration: (ms: number) => formatDuration(lang, ms),
      problem: (error: unknown) => explain(DICTIONARIES[lang], error),
    }),
    [lang],
  );
}
