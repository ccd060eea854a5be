import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { assert } from '../../kernel/assert.js';
import { Recent } from './recent.js';
import { decodeJson, encodeJson, type Segments, split } from './segments.js';

const ALGORITHM = 'HS256';
const ISSUER = 'foyer';
const TOKEN_MAX_CHARS = 2048;
/** Verified tokens remembered per type and generation: a poll then costs a look-up instead of an HMAC. */
const VERIFIED_MAX = 20_000;

/** What a verified token says. Shared between callers, hence frozen. */
export type Claims = Readonly<Record<string, unknown>>;

export interface Jwt {
  /** Signs the claims in the order given, so the same claims always make the same token. */
  sign(typ: string, claims: object): string;
  /** The claims of a token of this type that was signed with a secret of ours. Whether it has expired is the caller's to say. */
  verify(typ: string, token: string): Claims | undefined;
}

interface TokenType {
  readonly header: string;
  readonly verified: Recent<Claims>;
}

/**
 * The one kind of JWT that Foyer takes: HS256, `iss` = `foyer`, and a `typ` that the caller names. Written by hand because
 * it is checked at every poll, and because what a general library would also accept is what forgeries are made of.
 * While the secret is being changed there is another one, whose tokens are taken too; nothing is signed with it.
 */
export function createJwt(secret: string, otherSecret?: string): Jwt {
  const key = keyOf(secret);
  const otherKey = otherSecret === undefined ? undefined : keyOf(otherSecret);
  const types = new Map<string, TokenType>();
  const ownHeaders = new Set<string>();

  const typeOf = (typ: string): TokenType => {
    const known = types.get(typ);
    if (known) return known;
    const made = { header: encodeJson({ alg: ALGORITHM, typ }), verified: new Recent<Claims>(VERIFIED_MAX) };
    types.set(typ, made);
    ownHeaders.add(made.header);
    return made;
  };

  const isSigned = ({ signature, signed }: Segments): boolean =>
    sameText(signature, signatureOf(key, signed)) ||
    (otherKey !== undefined && sameText(signature, signatureOf(otherKey, signed)));

  const check = (typ: string, ownHeader: string, token: string): Claims | undefined => {
    const segments = split(token);
    if (!segments) return undefined;
    const { header } = segments;
    // What we write for another type needs no reading.
    if (header !== ownHeader && (ownHeaders.has(header) || !isHeaderFor(typ, header))) return undefined;
    if (!isSigned(segments)) return undefined;
    const claims = decodeJson(segments.payload);
    return claims?.['iss'] === ISSUER ? Object.freeze(claims) : undefined;
  };

  return {
    sign(typ, claims) {
      const signed = `${typeOf(typ).header}.${encodeJson({ ...claims, iss: ISSUER })}`;
      const token = `${signed}.${signatureOf(key, signed)}`;
      assert(token.length <= TOKEN_MAX_CHARS, 'a token was signed that is too long to be verified');
      return token;
    },

    verify(typ, token) {
      if (token.length > TOKEN_MAX_CHARS) return undefined;
      const { header, verified } = typeOf(typ);
      const known = verified.get(token);
      if (known) return known;
      const claims = check(typ, header, token);
      // Only what passed is remembered: forgeries cannot push real tokens out.
      if (claims) verified.set(token, claims);
      return claims;
    },
  };
}

const keyOf = (secret: string): KeyObject => createSecretKey(Buffer.from(secret));

const signatureOf = (key: KeyObject, signed: string): string =>
  createHmac('sha256', key).update(signed).digest('base64url');

/** Other signers may order the header differently. `crit` names extensions that must be understood; none are. */
function isHeaderFor(typ: string, segment: string): boolean {
  const header = decodeJson(segment);
  return header?.['alg'] === ALGORITHM && header['typ'] === typ && !Object.hasOwn(header, 'crit');
}

/** Compares the signatures as text, which also refuses every other spelling of the right bytes. */
function sameText(given: string, expected: string): boolean {
  const givenBytes = Buffer.from(given);
  const expectedBytes = Buffer.from(expected);
  return givenBytes.length === expectedBytes.length && timingSafeEqual(givenBytes, expectedBytes);
}
