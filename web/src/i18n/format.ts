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

type DateStyle = keyof typeof DATE_STYLES;

const dateFormat = (lang: Lang, style: DateStyle, timeZone: string | undefined): Intl.DateTimeFormat =>
  cached(
    `date ${lang} ${style} ${timeZone ?? ''}`,
    () => new Intl.DateTimeFormat(LOCALES[lang], { ...DATE_STYLES[style], timeZone }),
  );

/** UTC if this browser does not know the zone: a true time with a label is better than no page. */
const knownZone = (timeZone: string): string =>
  cached(`zone ${timeZone}`, () => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
    } catch {
      return 'UTC';
    }
  });

/** South Korea Time, New York Time */
const zoneName = (lang: Lang, at: Date, timeZone: string): string =>
  cached(
    `zone name ${lang} ${timeZone}`,
    () => new Intl.DateTimeFormat(LOCALES[lang], { timeZone, timeZoneName: 'shortGeneric' }),
  )
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;

/**
 * Formats a time in the time zone of a venue, with the name of the zone if the user's clock shows another time.
 * Without a venue: in the user's time zone.
 */
export function formatDate(
  lang: Lang,
  at: string | number,
  style: DateStyle = 'short',
  timeZone?: string,
): string {
  const date = new Date(at);
  const local = dateFormat(lang, style, undefined).format(date);
  if (timeZone === undefined) return local;
  const zone = knownZone(timeZone);
  const atVenue = dateFormat(lang, style, zone).format(date);
  return atVenue === local ? atVenue : `${atVenue} (${zoneName(lang, date, zone)})`;
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
