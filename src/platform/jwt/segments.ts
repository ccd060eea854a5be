import { isUtf8 } from 'node:buffer';

/** The three parts of a compact token, and the text that its signature covers. */
export interface Segments {
  readonly header: string;
  readonly payload: string;
  readonly signature: string;
  readonly signed: string;
}

export function split(token: string): Segments | undefined {
  const first = token.indexOf('.');
  const second = token.indexOf('.', first + 1);
  if (first < 0 || second < 0 || token.includes('.', second + 1)) return undefined;
  return {
    header: token.slice(0, first),
    payload: token.slice(first + 1, second),
    signature: token.slice(second + 1),
    signed: token.slice(0, second),
  };
}

export const encodeJson = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Reads a segment that is exactly the base64url of a JSON object in UTF-8. */
export function decodeJson(segment: string): Record<string, unknown> | undefined {
  const bytes = Buffer.from(segment, 'base64url');
  // Node skips what it does not know; encoding it again shows whether there was any, padding and spare bits included.
  if (bytes.toString('base64url') !== segment || !isUtf8(bytes)) return undefined;
  const value = parse(bytes.toString('utf8'));
  return isObject(value) ? value : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
