import { isUtf8 } from 'node:buffer';
import { parseJson } from '../../kernel/json.js';

/** The three segments of a compact token, and the text that the signature covers. */
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

/** Decodes a segment that is exactly the base64url encoding of a JSON object in UTF-8. */
export function decodeJson(segment: string): Record<string, unknown> | undefined {
  const bytes = Buffer.from(segment, 'base64url');
  // Node's decoder ignores invalid characters, padding and spare bits. Encoding the result again reveals them.
  if (bytes.toString('base64url') !== segment || !isUtf8(bytes)) return undefined;
  const value = parseJson(bytes.toString('utf8'));
  return isObject(value) ? value : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
