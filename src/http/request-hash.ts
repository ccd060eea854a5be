import { createHash } from 'node:crypto';

/** The request's meaning in 43 characters: two that ask for the same thing have the same hash. */
export function requestHash(method: string, url: string, body: unknown): string {
  const [path] = url.split('?', 1);
  return createHash('sha256')
    .update(`${method} ${path}\n${canonical(body)}`)
    .digest('base64url');
}

/** JSON with every object's members in one order, for the client may send them in any. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) => ordered(member)) ?? '';

function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
