import type { Lang } from './dictionary.js';

const LOCALES: Readonly<Record<Lang, string>> = { ko: 'ko-KR', en: 'en-GB' };
const SECOND_MS = 1000;

const cache = new Map<string, unknown>();

/** Caches formatters: they are expensive to create and used in every row. */
function cached<T>(key: string, make: () => T): T {
  if (!cache.has(key)) cache.set(key, make());
  return cache.get(key) as T;
}

/** How many decimals a currency has: none for won, two for dollars. */
export const decimalsOf = (currency: string): number =>
  cached(
    `digits ${currency}`,
    () =>
      new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
      0,
  );

/** Formats an amount in the minor unit: won, but cents. */
export function formatMoney(lang: Lang, amount: number, currency: string): string {
  // Prices in Korea are written with 원 rather than ₩.
  if (lang === 'ko' && currency === 'KRW') return `${formatNumber(lang, amount)}원`;
  const format = cached(
    `money ${lang} ${currency}`,
    () =>
      new Intl.NumberFormat(LOCALES[lang], { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }),
  );
  return format.format(amount / 10 ** decimalsOf(currency));
}

export const formatNumber = (lang: Lang, value: number): string =>
  cached(`number ${lang}`, () => new Intl.NumberFormat(LOCALES[lang])).format(value);

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

/** Formats a time in the user's time zone. */
export function formatDate(
  lang: Lang,
  at: string | number,
  style: keyof typeof DATE_STYLES = 'short',
): string {
  const format = cached(
    `date ${lang} ${style}`,
    () => new Intl.DateTimeFormat(LOCALES[lang], DATE_STYLES[style]),
  );
  return format.format(new Date(at));
}

/** A countdown: 4:59, 1:02:03. */
export function formatClock(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / SECOND_MS));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

/** A duration in its two largest units that are not zero. */
export function formatDuration(lang: Lang, ms: number): string {
  const total = Math.max(0, Math.round(ms / SECOND_MS));
  const units = [
    ['day', Math.floor(total / 86_400)],
    ['hour', Math.floor(total / 3600) % 24],
    ['minute', Math.floor(total / 60) % 60],
    ['second', total % 60],
  ] as const;
  const first = units.findIndex(([, value]) => value > 0);
  const shown =
    first === -1 ? units.slice(-1) : units.slice(first, first + 2).filter(([, value]) => value > 0);
  return shown
    .map(([unit, value]) =>
      cached(
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
