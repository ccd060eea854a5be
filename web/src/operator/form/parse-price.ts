import { decimalsOf } from '../../i18n/format.js';

/** Parses `154,000` or `19.99` into the minor unit; undefined if it is not a price in this currency. */
export function parsePrice(text: string, currency: string): number | undefined {
  const plain = text.replace(/[,\s]/g, '');
  const digits = decimalsOf(currency);
  const [whole = '', fraction = '', ...rest] = plain.split('.');
  const isPrice = /^\d{1,12}$/.test(whole) && /^\d*$/.test(fraction) && rest.length === 0;
  if (!isPrice || fraction.length > digits || plain.endsWith('.')) return undefined;
  return Number(`${whole}${fraction.padEnd(digits, '0')}`);
}
