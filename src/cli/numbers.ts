import { StartFault } from '../kernel/start-fault.js';

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
    throw new StartFault(`${name} must be a whole number from ${min} to ${max}.`);
  return value;
}
