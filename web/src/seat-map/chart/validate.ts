import { isRecord } from '../../is-record.js';

/** Validators for decoded JSON: each returns the typed value, or throws a TypeError that says where. */

export function record(value: unknown, where: string): Record<string, unknown> {
  if (!isRecord(value)) throw invalid(where, 'an object');
  return value;
}

export function list(value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(where, 'a list');
  return value;
}

export function string(value: unknown, where: string): string {
  if (typeof value !== 'string') throw invalid(where, 'a string');
  return value;
}

export function finite(value: unknown, where: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw invalid(where, 'a number');
  return value;
}

export function strings(value: unknown, where: string): readonly string[] {
  const values = list(value, where);
  if (!values.every((entry) => typeof entry === 'string')) throw invalid(where, 'a list of strings');
  return values;
}

export function numbers(value: unknown, where: string): readonly number[] {
  const values = list(value, where);
  if (!values.every((entry) => typeof entry === 'number' && Number.isFinite(entry))) {
    throw invalid(where, 'a list of numbers');
  }
  return values as readonly number[];
}

/** A list of indexes into a list of `count` entries. */
export function indexes(value: unknown, count: number, where: string): readonly number[] {
  const values = numbers(value, where);
  if (!values.every((entry) => Number.isInteger(entry) && entry >= 0 && entry < count)) {
    throw invalid(where, `a list of whole numbers below ${count}`);
  }
  return values;
}

const invalid = (where: string, wanted: string): TypeError =>
  new TypeError(`chart: ${where} is not ${wanted}`);
