import { UserError } from '../kernel/user-error.js';

/** Undefined when the option was not given. */
export function wholeNumber(
  name: string,
  text: string | undefined,
  min: number,
  max: number,
): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (!(value >= min && value <= max))
    throw new UserError(`${name} must be a whole number from ${min} to ${max}.`);
  return value;
}
