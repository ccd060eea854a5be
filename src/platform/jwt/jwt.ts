import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { assert } from '../../kernel/assert.js';
import { GenerationalCache } from './generational-cache.js';
import { decodeJson, encodeJson, type Segments, split } from './segments.js';

const ALGORITHM = 'HS256';
const ISSUER = 'foyer';
const TOKEN_MAX_CHARS = 2048;
/** Cached tokens per type and generation: a poll then costs a lookup instead of an HMAC. */
const VERIFIED_MAX = 20_000;

/** The claims of a verified token. Frozen, because callers share them. */
export type Claims = Readonly<Record<string, unknown>>;

export interface Jwt {
  /** The same claims in the same order always give the same token. */
  sign(typ: string, claims: object): string;
  /** The claims of a valid token of this type, otherwise undefined. The caller must check whether it has expired. */
  verify(typ: string, token: string): Claims | undefined;
}

interface TokenType {
  readonly header: string;
  readonly verified: GenerationalCache<Claims>;
}

/**
 * Signs and verifies the only kind of JWT that Foyer accepts: HS256, `iss` = `foyer`, and a `typ` chosen by the caller.
 * It never accepts another algorithm, another type or a `crit` header. Written by hand because every poll verifies a
 * token, and because the options of a general library are the usual source of forgeries.
 *
 * During a rotation of the secret, tokens signed with `otherSecret` are accepted too; none is signed with it.
 */
export function createJwt(secret: string, otherSecret?: string): Jwt {
  const key = keyOf(secret);
  const otherKey = otherSecret === undefined ? undefined : keyOf(otherSecret);
  const types = new Map<string, TokenType>();
  const ownHeaders = new Set<string>();

  const typeOf = (typ: string): TokenType => {
    const existing = types.get(typ);
    if (existing) return existing;
    const header = encodeJson({ alg: ALGORITHM, typ });
    const type = { header, verified: new GenerationalCache<Claims>(VERIFIED_MAX) };
    types.set(typ, type);
    ownHeaders.add(header);
    return type;
  };

  const isSignatureValid = ({ signature, signed }: Segments): boolean =>
    isSameText(signature, signatureOf(key, signed)) ||
    (otherKey !== undefined && isSameText(signature, signatureOf(otherKey, signed)));

  const check = (typ: string, ownHeader: string, token: string): Claims | undefined => {
    const segments = split(token);
    if (!segments) return undefined;
    const { header } = segments;
    // Our own header of another type needs no decoding.
    if (header !== ownHeader && (ownHeaders.has(header) || !isHeaderFor(typ, header))) return undefined;
    if (!isSignatureValid(segments)) return undefined;
    const claims = decodeJson(segments.payload);
    return claims?.['iss'] === ISSUER ? Object.freeze(claims) : undefined;
  };

  return {
    sign(typ, claims) {
      const signed = `${typeOf(typ).header}.${encodeJson({ ...claims, iss: ISSUER })}`;
      const token = `${signed}.${signatureOf(key, signed)}`;
      assert(token.length <= TOKEN_MAX_CHARS, 'token is too long to be verified');
      return token;
    },

    verify(typ, token) {
      if (token.length > TOKEN_MAX_CHARS) return undefined;
      const { header, verified } = typeOf(typ);
      const cached = verified.get(token);
      if (cached) return cached;
      const claims = check(typ, header, token);
      // Only valid tokens are cached, so forged ones cannot evict them.
      if (claims) verified.set(token, claims);
      return claims;
    },
  };
}

const keyOf = (secret: string): KeyObject => createSecretKey(Buffer.from(secret));

const signatureOf = (key: KeyObject, signed: string): string =>
  createHmac('sha256', key).update(signed).digest('base64url');

/** Other signers may order the header differently. `crit` lists extensions that must be understood; we support none. */
function isHeaderFor(typ: string, segment: string): boolean {
  const header = decodeJson(segment);
  return header?.['alg'] === ALGORITHM && header['typ'] === typ && !Object.hasOwn(header, 'crit');
}

/** Compares signatures as text, which also refuses any other encoding of the same bytes. Takes constant time. */
function isSameText(given: string, expected: string): boolean {
  const givenBytes = Buffer.from(given);
  const expectedBytes = Buffer.from(expected);
  return givenBytes.length === expectedBytes.length && timingSafeEqual(givenBytes, expectedBytes);
}
