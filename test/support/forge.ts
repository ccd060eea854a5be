import { createHmac } from 'node:crypto';
import { SECRET } from './server.js';

type Claims = Readonly<Record<string, unknown>>;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (segment: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(segment, 'base64url').toString()) as Record<string, unknown>;

const HASHES: Readonly<Record<string, string>> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' };

export interface Forgery {
  readonly header: Claims;
  readonly claims: Claims;
  readonly secret?: string;
}

/** Builds any JWT, including ones the server would never sign. An unknown `alg` gets an empty signature. */
export function forge({ header, claims, secret = SECRET }: Forgery): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  const hash = HASHES[String(header['alg'])];
  return `${signed}.${hash === undefined ? '' : createHmac(hash, secret).update(signed).digest('base64url')}`;
}

export const secondsFromNow = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

/** A valid access token, with overrides. */
export const forgeAccess = (
  sub: string,
  { header = {}, claims = {}, secret = SECRET }: Partial<Forgery> = {},
): string =>
  forge({
    header: { alg: 'HS256', typ: 'access+jwt', ...header },
    claims: { iss: 'foyer', sub, exp: secondsFromNow(3600), ...claims },
    secret,
  });

/** Decodes a token without verifying it. */
export function readToken(token: string): {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
} {
  const [header = '', claims = ''] = token.split('.');
  return { header: decode(header), claims: decode(claims) };
}

/** Changes parts of a token and signs it again. */
export function resign(
  token: string,
  { header = {}, claims = {}, secret = SECRET }: Partial<Forgery>,
): string {
  const real = readToken(token);
  return forge({ header: { ...real.header, ...header }, claims: { ...real.claims, ...claims }, secret });
}

/** Whether the token has a valid HMAC-SHA256 signature. */
export function isSigned(token: string): boolean {
  const at = token.lastIndexOf('.');
  return createHmac('sha256', SECRET).update(token.slice(0, at)).digest('base64url') === token.slice(at + 1);
}
