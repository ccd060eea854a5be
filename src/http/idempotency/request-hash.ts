import { createHash } from 'node:crypto';
import { Refusal } from '../../kernel/refusal.js';
import { pathOf } from '../url.js';

/** The request's meaning in 43 characters: two that ask for the same thing have the same hash. */
export function requestHash(method: string, url: string, body: unknown): string {
  const meaning = body === undefined ? '' : canonical(body);
  return createHash('sha256')
    .update(`${method} ${pathOf(url)}\n${meaning}`)
    .digest('base64url');
}

/** JSON with every object's members in one order, for the client may send them in any. */
function canonical(value: unknown): string {
  try {
    return JSON.stringify(value, (_key, member: unknown) => sortMembers(member));
  } catch (error) {
    // Nested deeper than the stack.
    if (error instanceof RangeError)
      throw new Refusal('INVALID_REQUEST', { errors: ['body is nested too deeply'] });
    throw error;
  }
}

function sortMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
