import type { Lang } from './dictionary.js';

const LOCALES: Readonly<Record<Lang, string>> = { ko: 'ko-KR', en: 'en-GB' };
const SECOND_MS = 1000;

const kept = new Map<string, unknown>();

/** Formatters are dear to make and are asked for in every row. */
function once<T>(key: string, make: () => T): T {
  if (!kept.has(key)) kept.set(key, make());
  return kept.get(key) as T;
}

/** How many digits of a currency stand behind the point: none of a won, two of a dollar. */
export const digitsOf = (currency: string): number =>
  once(
    `digits ${currency}`,
    () =>
      new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
      0,
  );

/** Amounts are in the minor unit: 1 won, but 1 cent. */
export function formatMoney(lang: Lang, amount: number, currency: string): string {
  // As prices are written in Korea, rather than with the sign.
  if (lang === 'ko' && currency === 'KRW') return `${formatNumber(lang, amount)}원`;
  const format = once(
    `money ${lang} ${currency}`,
    () =>
      new Intl.NumberFormat(LOCALES[lang], { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }),
  );
  return format.format(amount / 10 ** digitsOf(currency));
}

export const formatNumber = (lang: Lang, value: number): string =>
  once(`number ${lang}`, () => new Intl.NumberFormat(LOCALES[lang])).format(value);

export const formatSeats = (seats: readonly { readonly label: string }[]): string =>
  seats.map(({ label }) => label).join(', ');

const DATE_STYLES = {
  /** Sat 14 November 2026, 19:00 */
  full: { dateStyle: 'full', timeStyle: 'short' },
  /** 14 Nov 2026, 19:00 */
  short: { dateStyle: 'medium', timeStyle: 'short' },
  day: { month: 'short', day: 'numeric', weekday: 'short' },
  time: { timeStyle: 'medium' },
  /** 19:00 */
  clock: { timeStyle: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** In the reader's own time zone. */
export function formatDate(
  lang: Lang,
  at: string | number,
  style: keyof typeof DATE_STYLES = 'short',
): string {
  const format = once(
    `date ${lang} ${style}`,
    () => new Intl.DateTimeFormat(LOCALES[lang], DATE_STYLES[style]),
  );
  return format.format(new Date(at));
}

/** A countdown's digits: 4:59, 1:02:03. */
export function formatClock(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / SECOND_MS));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

/** A length of time as people say it: the two largest units that count. */
export function formatDuration(lang: Lang, ms: number): string {
  const total = Math.max(0, Math.round(ms / SECOND_MS));
  const units = [
    ['day', Math.floor(total / 86_400)],
    ['hour', Math.floor(total / 3600) % 24],
    ['minute', Math.floor(total / 60) % 60],
    ['second', total % 60],
  ] as const;
  const first = units.findIndex(([, value]) => value > 0);
  const told =
    first === -1 ? units.slice(-1) : units.slice(first, first + 2).filter(([, value]) => value > 0);
  return told
    .map(([unit, value]) =>
      once(
        `unit ${lang} ${unit}`,
        () =>
          new Intl.NumberFormat(LOCALES[lang], {
            style: 'unit',
            unit,
            unitDisplay: lang === 'ko' ? 'short' : 'long',
          }),
      ).format(value),
    )
    .join(' ');
}
