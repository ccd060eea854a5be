import { createHash } from 'node:crypto';
import { Refusal } from '../../kernel/refusal.js';
import { pathOf } from '../url.js';

/** Equal for requests with the same method, path and body; whitespace and member order of the JSON do not matter. */
export function requestHash(method: string, url: string, body: unknown): string {
  const canonicalBody = body === undefined ? '' : canonicalJson(body);
  return createHash('sha256')
    .update(`${method} ${pathOf(url)}\n${canonicalBody}`)
    .digest('base64url');
}

/** JSON with the members of every object sorted by name. */
function canonicalJson(value: unknown): string {
  try {
    return JSON.stringify(value, (_key, member: unknown) => sortMembers(member));
  } catch (error) {
    // JSON.stringify has overflowed the stack.
    if (error instanceof RangeError)
      throw new Refusal('INVALID_REQUEST', { errors: ['body is nested too deeply'] });
    throw error;
  }
}

function sortMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
