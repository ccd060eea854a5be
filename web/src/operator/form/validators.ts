import { useMemo } from 'react';
import { postOperatorConcertsLimits } from '../../api/generated/limits.js';
import { useFormat } from '../../i18n/index.js';
import { useOperatorText } from '../texts/index.js';
import { parseMinutes } from './parse-minutes.js';
import { parsePrice } from './parse-price.js';
import { isLocalTime } from './local-time.js';

const PRICE_MAX = postOperatorConcertsLimits.body.schedules.items.prices.values.maximum;
const CONTROL = /[\u0000-\u001f\u007f]/;
const CONTROL_EXCEPT_LINE_FEED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;
const WHOLE = /^-?\d{1,12}$/;

/** Each returns the error of a field in the current language, or undefined if it is valid. */
export interface Validators {
  readonly singleLine: (text: string, limits: { readonly maxLength: number }) => string | undefined;
  /** Several lines, or nothing. */
  readonly optionalText: (text: string, limits: { readonly maxLength: number }) => string | undefined;
  readonly wholeNumber: (
    text: string,
    limits: { readonly minimum: number; readonly maximum: number },
  ) => string | undefined;
  /** Minutes with up to two decimals, within limits in seconds. */
  readonly minutes: (
    text: string,
    limits: { readonly minimum: number; readonly maximum: number },
  ) => string | undefined;
  readonly price: (text: string, currency: string) => string | undefined;
  readonly time: (text: string) => string | undefined;
}

export function useValidators(): Validators {
  const { errors } = useOperatorText();
  const format = useFormat();
  return useMemo(
    () => ({
      singleLine(text, { maxLength }) {
        if (text.trim() === '') return errors.missing;
        if (CONTROL.test(text.trim())) return errors.oneLine;
        return Array.from(text.trim()).length > maxLength ? errors.tooLong(maxLength) : undefined;
      },
      optionalText(text, { maxLength }) {
        if (CONTROL_EXCEPT_LINE_FEED.test(text.trim())) return errors.plainText;
        return Array.from(text.trim()).length > maxLength ? errors.tooLong(maxLength) : undefined;
      },
      wholeNumber(text, { minimum, maximum }) {
        const value = WHOLE.test(text.trim()) ? Number(text) : NaN;
        return value >= minimum && value <= maximum
          ? undefined
          : errors.whole(format.number(minimum), format.number(maximum));
      },
      minutes(text, { minimum, maximum }) {
        const seconds = parseMinutes(text);
        return seconds !== undefined && seconds >= minimum && seconds <= maximum
          ? undefined
          : errors.minutes(format.number(maximum / 60));
      },
      price(text, currency) {
        const price = parsePrice(text, currency);
        return price !== undefined && price <= PRICE_MAX
          ? undefined
          : errors.price(format.money(PRICE_MAX, currency));
      },
      time: (text) => (isLocalTime(text) ? undefined : errors.notATime),
    }),
    [errors, format],
  );
}
