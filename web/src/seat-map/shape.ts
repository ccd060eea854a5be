import { isRecord } from '../is-record.js';

/** Checks of what came over the wire: each gives the value back typed, or throws and says where it went wrong. */

export function record(value: unknown, where: string): Record<string, unknown> {
  if (!isRecord(value)) throw wrong(where, 'an object');
  return value;
}

export function list(value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wrong(where, 'a list');
  return value;
}

export function string(value: unknown, where: string): string {
  if (typeof value !== 'string') throw wrong(where, 'a string');
  return value;
}

export function finite(value: unknown, where: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw wrong(where, 'a number');
  return value;
}

export function strings(value: unknown, where: string): readonly string[] {
  const values = list(value, where);
  if (!values.every((entry) => typeof entry === 'string')) throw wrong(where, 'a list of strings');
  return values;
}

export function numbers(value: unknown, where: string): readonly number[] {
  const values = list(value, where);
  if (!values.every((entry) => typeof entry === 'number' && Number.isFinite(entry))) {
    throw wrong(where, 'a list of numbers');
  }
  return values as readonly number[];
}

/** Indexes into a list of `count` entries. */
export function wholeNumbers(value: unknown, count: number, where: string): readonly number[] {
  const values = numbers(value, where);
  if (!values.every((entry) => Number.isInteger(entry) && entry >= 0 && entry < count)) {
    throw wrong(where, `a list of whole numbers below ${count}`);
  }
  return values;
}

const wrong = (where: string, wanted: string): TypeError => new TypeError(`chart: ${where} is not ${wanted}`);
