import { useMemo } from 'react';
import { postOperatorConcertsLimits } from '../../api/generated/limits.js';
import { useFormat } from '../../i18n/index.js';
import { useOperatorText } from '../texts/index.js';
import { parsePrice } from './money.js';
import { parseLocalTime } from './times.js';

const PRICE_MAX = postOperatorConcertsLimits.body.schedules.items.prices.values.maximum;
const CONTROL = /[\u0000-\u001f\u007f]/;
const WHOLE = /^-?\d{1,12}$/;

/** What is wrong with one field, in the language in use; undefined when nothing is. */
export interface Checks {
  readonly line: (text: string, limits: { readonly maxLength: number }) => string | undefined;
  readonly whole: (
    text: string,
    limits: { readonly minimum: number; readonly maximum: number },
  ) => string | undefined;
  readonly price: (text: string, currency: string) => string | undefined;
  readonly time: (text: string) => string | undefined;
}

export function useChecks(): Checks {
  const { faults } = useOperatorText();
  const format = useFormat();
  return useMemo(
    () => ({
      line(text, { maxLength }) {
        if (text.trim() === '') return faults.missing;
        if (CONTROL.test(text.trim())) return faults.oneLine;
        return Array.from(text.trim()).length > maxLength ? faults.tooLong(maxLength) : undefined;
      },
      whole(text, { minimum, maximum }) {
        const value = WHOLE.test(text.trim()) ? Number(text) : NaN;
        return value >= minimum && value <= maximum
          ? undefined
          : faults.whole(format.number(minimum), format.number(maximum));
      },
      price(text, currency) {
        const price = parsePrice(text, currency);
        return price !== undefined && price <= PRICE_MAX
          ? undefined
          : faults.price(format.money(PRICE_MAX, currency));
      },
      time: (text) => (parseLocalTime(text) === undefined ? faults.notATime : undefined),
    }),
    [faults, format],
  );
}
