import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createJwt } from '../../src/platform/jwt/index.js';
import { GenerationalCache } from '../../src/platform/jwt/generational-cache.js';

const SECRET = 'a secret that only the tests know';
const TYP = 'access+jwt';
const HEADER = { alg: 'HS256', typ: TYP };
const CLAIMS = { iss: 'foyer', sub: 'user-1', exp: 1_800_000_000 };

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const signature = (signed: string, secret = SECRET): string =>
  createHmac('sha256', secret).update(signed).digest('base64url');
const seal = (header: string, payload: string, secret = SECRET): string =>
  `${header}.${payload}.${signature(`${header}.${payload}`, secret)}`;
/** A token made without `createJwt`, correctly signed by default. */
const forge = (header: unknown, claims: unknown, secret = SECRET): string =>
  seal(encode(header), encode(claims), secret);

describe('a signed token', () => {
  const jwt = createJwt(SECRET);

  it('verifies to its claims, with Foyer as the issuer', () => {
    const token = jwt.sign(TYP, { sub: 'user-1', exp: 5, list: ['a', null] });
    expect(jwt.verify(TYP, token)).toEqual({ iss: 'foyer', sub: 'user-1', exp: 5, list: ['a', null] });
  });

  it('is the same for the same claims, and its issuer is always Foyer', () => {
    expect(jwt.sign(TYP, { sub: 'a', exp: 1 })).toBe(createJwt(SECRET).sign(TYP, { sub: 'a', exp: 1 }));
    expect(jwt.verify(TYP, jwt.sign(TYP, { iss: 'another' }))).toEqual({ iss: 'foyer' });
  });

  it('equals the token of any other HS256 signer', () => {
    expect(jwt.sign(TYP, { sub: 'user-1' })).toBe(forge(HEADER, { sub: 'user-1', iss: 'foyer' }));
  });

  it('is verified from the cache the second time, with frozen claims', () => {
    const token = jwt.sign(TYP, { sub: 'user-1' });
    const first = jwt.verify(TYP, token);
    expect(jwt.verify(TYP, token)).toBe(first);
    expect(Object.isFrozen(first)).toBe(true);
  });

  it('is never accepted as another type, even after it was verified as its own', () => {
    const token = jwt.sign(TYP, { sub: 'user-1' });
    expect(jwt.verify(TYP, token)).toBeDefined();
    expect(jwt.verify('queue+jwt', token)).toBeUndefined();
  });

  it('is refused with another secret', () => {
    expect(createJwt('another secret, as long').verify(TYP, jwt.sign(TYP, {}))).toBeUndefined();
  });

  it('is never longer than the verification accepts', () => {
    expect(() => jwt.sign(TYP, { sub: 'x'.repeat(2048) })).toThrow('too long');
  });
});

describe('a token of the other secret during a rotation', () => {
  const former = createJwt('the secret until now');
  const changing = createJwt(SECRET, 'the secret until now');

  it('is accepted, also repeatedly', () => {
    const token = former.sign(TYP, { sub: 'user-1' });
    expect(changing.verify(TYP, token)).toEqual({ iss: 'foyer', sub: 'user-1' });
    expect(changing.verify(TYP, token)).toBe(changing.verify(TYP, token));
    expect(changing.verify('queue+jwt', token)).toBeUndefined();
  });

  it('is never signed', () => {
    const token = changing.sign(TYP, { sub: 'user-1' });
    expect(createJwt(SECRET).verify(TYP, token)).toBeDefined();
    expect(former.verify(TYP, token)).toBeUndefined();
  });

  it('does not make a third secret valid', () => {
    expect(changing.verify(TYP, createJwt('a third secret').sign(TYP, {}))).toBeUndefined();
  });
});

describe("another signer's token", () => {
  const jwt = createJwt(SECRET);

  it.each([
    ['in our own order', HEADER],
    ['in another order', { typ: TYP, alg: 'HS256' }],
    ['with a member that may be ignored', { ...HEADER, kid: '1' }],
  ])('is accepted with a header %s', (_, header) => {
    expect(jwt.verify(TYP, forge(header, CLAIMS))).toEqual(CLAIMS);
  });

  it.each([
    ['no algorithm', { typ: TYP }],
    ['the algorithm none', { alg: 'none', typ: TYP }],
    ['the algorithm in lower case', { alg: 'hs256', typ: TYP }],
    ['another algorithm', { alg: 'HS512', typ: TYP }],
    ['no type', { alg: 'HS256' }],
    ['the usual type', { alg: 'HS256', typ: 'JWT' }],
    ['another type of ours', { alg: 'HS256', typ: 'queue+jwt' }],
    ['the type in upper case', { alg: 'HS256', typ: TYP.toUpperCase() }],
    ['an extension that must be understood', { ...HEADER, crit: ['b64'], b64: false }],
    ['an empty list of extensions', { ...HEADER, crit: [] }],
    ['a list for a header', [HEADER]],
    ['null for a header', null],
  ])('is refused with %s', (_, header) => {
    expect(jwt.verify(TYP, forge(header, CLAIMS))).toBeUndefined();
  });

  it.each([
    ['another issuer', { ...CLAIMS, iss: 'foyer2' }],
    ['no issuer', { sub: 'user-1' }],
    ['a list of issuers', { ...CLAIMS, iss: ['foyer'] }],
    ['a list for claims', ['foyer']],
    ['text for claims', 'foyer'],
    ['null for claims', null],
  ])('is refused with %s', (_, claims) => {
    expect(jwt.verify(TYP, forge(HEADER, claims))).toBeUndefined();
  });
});

describe('a forged or damaged token', () => {
  const jwt = createJwt(SECRET);
  const good = jwt.sign(TYP, { sub: 'user-1' });
  const [header = '', payload = '', sealed = ''] = good.split('.');
  // The last of 43 characters carries four bits; its other two bits must be zero.
  const spareBit = sealed.slice(0, -1) + String.fromCharCode(sealed.charCodeAt(42) + 1);

  it.each([
    ['unsigned, for the algorithm none', `${encode({ alg: 'none', typ: TYP })}.${payload}.`],
    ['without its signature', `${header}.${payload}.`],
    ['with another signature', `${header}.${payload}.${signature('something else')}`],
    ['signed with another secret', forge(HEADER, CLAIMS, 'another secret, as long')],
    ['with other claims under the old signature', `${header}.${encode(CLAIMS)}.${sealed}`],
    ['with a truncated signature', good.slice(0, -1)],
    ['with an extra character', `${good}A`],
    ['with padding', `${good}=`],
    ['with a line end', `${good}\n`],
    ['with a spare bit set in the signature', `${header}.${payload}.${spareBit}`],
    [
      'with a character whose low byte is the same',
      good.slice(0, -1) + String.fromCharCode(0x100 + good.charCodeAt(good.length - 1)),
    ],
    ['in four parts', `${good}.${sealed}`],
    ['with an empty fourth part', `${good}.`],
    ['in two parts', `${header}.${payload}`],
    ['in one part', header],
    ['empty', ''],
    ['only dots', '..'],
    ['correctly signed, but with padded claims', seal(header, `${encode({ iss: 'foyer', a: 1 })}=`)],
    ['correctly signed, but with a space in the claims', seal(header, ` ${payload}`)],
    ['correctly signed, but with truncated claims', seal(header, encode(CLAIMS).slice(0, -4))],
    ['correctly signed, but with no claims', seal(header, '')],
    [
      'correctly signed, but with a padded header',
      seal(`${encode({ typ: TYP, alg: 'HS256', n: 1 })}=`, payload),
    ],
    [
      'correctly signed, but not in UTF-8',
      seal(header, Buffer.from('{"iss":"foyer","a":"\xff"}', 'latin1').toString('base64url')),
    ],
  ])('%s is refused', (_, token) => {
    expect(jwt.verify(TYP, token)).toBeUndefined();
  });

  it('is refused over 2 KiB, though correctly signed', () => {
    const ofLength = (chars: number): string => forge(HEADER, { iss: 'foyer', pad: 'x'.repeat(chars) });
    const overhead = ofLength(0).length;
    const fitting = ofLength(Math.floor(((2048 - overhead) * 3) / 4) - 3);
    expect(fitting.length).toBeGreaterThan(2040);
    expect(jwt.verify(TYP, fitting)).toBeDefined();
    expect(jwt.verify(TYP, ofLength(1500))).toBeUndefined();
  });

  it('is refused every time', () => {
    const bad = `${header}.${payload}.${signature('something else')}`;
    expect(jwt.verify(TYP, bad)).toBeUndefined();
    expect(jwt.verify(TYP, bad)).toBeUndefined();
  });
});

describe('the cache of verified tokens', () => {
  it('keeps what was used within two generations and drops the rest', () => {
    const cache = new GenerationalCache<number>(2);
    for (const key of ['a', 'b', 'c', 'd']) cache.set(key, 1);
    expect(cache.get('a')).toBe(1);
    cache.set('e', 1);
    expect(cache.get('a')).toBe(1);
    expect(cache.get('b')).toBeUndefined();
  });
});
