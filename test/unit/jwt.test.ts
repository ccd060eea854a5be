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
/** A token made by somebody else's hand, rightly signed unless told otherwise. */
const forge = (header: unknown, claims: unknown, secret = SECRET): string =>
  seal(encode(header), encode(claims), secret);

describe('a signed token', () => {
  const jwt = createJwt(SECRET);

  it('comes back as the claims it was made of, with Foyer as the issuer', () => {
    const token = jwt.sign(TYP, { sub: 'user-1', exp: 5, list: ['a', null] });
    expect(jwt.verify(TYP, token)).toEqual({ iss: 'foyer', sub: 'user-1', exp: 5, list: ['a', null] });
  });

  it('is the same for the same claims, and issued by Foyer whatever the claims say', () => {
    expect(jwt.sign(TYP, { sub: 'a', exp: 1 })).toBe(createJwt(SECRET).sign(TYP, { sub: 'a', exp: 1 }));
    expect(jwt.verify(TYP, jwt.sign(TYP, { iss: 'another' }))).toEqual({ iss: 'foyer' });
  });

  it('is what any other HS256 signer would have made', () => {
    expect(jwt.sign(TYP, { sub: 'user-1' })).toBe(forge(HEADER, { sub: 'user-1', iss: 'foyer' }));
  });

  it('is verified again from memory, unchanged and unchangeable', () => {
    const token = jwt.sign(TYP, { sub: 'user-1' });
    const first = jwt.verify(TYP, token);
    expect(jwt.verify(TYP, token)).toBe(first);
    expect(Object.isFrozen(first)).toBe(true);
  });

  it('never passes for one of another type, even after it was verified as its own', () => {
    const token = jwt.sign(TYP, { sub: 'user-1' });
    expect(jwt.verify(TYP, token)).toBeDefined();
    expect(jwt.verify('queue+jwt', token)).toBeUndefined();
  });

  it('is not verified with another secret', () => {
    expect(createJwt('another secret, as long').verify(TYP, jwt.sign(TYP, {}))).toBeUndefined();
  });

  it('is never made longer than one that would be taken', () => {
    expect(() => jwt.sign(TYP, { sub: 'x'.repeat(2048) })).toThrow('too long');
  });
});

describe('a token of the other secret, while the secret is being changed', () => {
  const former = createJwt('the secret until now');
  const changing = createJwt(SECRET, 'the secret until now');

  it('is taken, as often as it comes', () => {
    const token = former.sign(TYP, { sub: 'user-1' });
    expect(changing.verify(TYP, token)).toEqual({ iss: 'foyer', sub: 'user-1' });
    expect(changing.verify(TYP, token)).toBe(changing.verify(TYP, token));
    expect(changing.verify('queue+jwt', token)).toBeUndefined();
  });

  it('is never made', () => {
    const token = changing.sign(TYP, { sub: 'user-1' });
    expect(createJwt(SECRET).verify(TYP, token)).toBeDefined();
    expect(former.verify(TYP, token)).toBeUndefined();
  });

  it('opens the door to no third secret', () => {
    expect(changing.verify(TYP, createJwt('a secret of nobody').sign(TYP, {}))).toBeUndefined();
  });
});

describe("another signer's token", () => {
  const jwt = createJwt(SECRET);

  it.each([
    ['in our own order', HEADER],
    ['in another order', { typ: TYP, alg: 'HS256' }],
    ['with a member that may be ignored', { ...HEADER, kid: '1' }],
  ])('is taken with a header %s', (_, header) => {
    expect(jwt.verify(TYP, forge(header, CLAIMS))).toEqual(CLAIMS);
  });

  it.each([
    ['no algorithm', { typ: TYP }],
    ['the algorithm none', { alg: 'none', typ: TYP }],
    ['the algorithm in small letters', { alg: 'hs256', typ: TYP }],
    ['another algorithm', { alg: 'HS512', typ: TYP }],
    ['no type', { alg: 'HS256' }],
    ['the usual type', { alg: 'HS256', typ: 'JWT' }],
    ['another type of ours', { alg: 'HS256', typ: 'queue+jwt' }],
    ['the type in capitals', { alg: 'HS256', typ: TYP.toUpperCase() }],
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
  // The last of 43 characters carries four bits; the other two must be zero.
  const spareBit = sealed.slice(0, -1) + String.fromCharCode(sealed.charCodeAt(42) + 1);

  it.each([
    ['unsigned, for the algorithm none', `${encode({ alg: 'none', typ: TYP })}.${payload}.`],
    ['without its signature', `${header}.${payload}.`],
    ['with another signature', `${header}.${payload}.${signature('something else')}`],
    ['signed with another secret', forge(HEADER, CLAIMS, 'another secret, as long')],
    ['with other claims under the old signature', `${header}.${encode(CLAIMS)}.${sealed}`],
    ['with a signature cut short', good.slice(0, -1)],
    ['with one character more', `${good}A`],
    ['with padding', `${good}=`],
    ['with a line end', `${good}\n`],
    ['with a spare bit set in the signature', `${header}.${payload}.${spareBit}`],
    [
      'with a letter that only looks the same in one byte',
      good.slice(0, -1) + String.fromCharCode(0x100 + good.charCodeAt(good.length - 1)),
    ],
    ['in four parts', `${good}.${sealed}`],
    ['with an empty fourth part', `${good}.`],
    ['in two parts', `${header}.${payload}`],
    ['in one part', header],
    ['empty', ''],
    ['of dots alone', '..'],
    ['rightly signed, but with padded claims', seal(header, `${encode({ iss: 'foyer', a: 1 })}=`)],
    ['rightly signed, but with a space in the claims', seal(header, ` ${payload}`)],
    ['rightly signed, but with claims cut short', seal(header, encode(CLAIMS).slice(0, -4))],
    ['rightly signed, but with no claims', seal(header, '')],
    [
      'rightly signed, but with a padded header',
      seal(`${encode({ typ: TYP, alg: 'HS256', n: 1 })}=`, payload),
    ],
    [
      'rightly signed, but not in UTF-8',
      seal(header, Buffer.from('{"iss":"foyer","a":"\xff"}', 'latin1').toString('base64url')),
    ],
  ])('%s is refused', (_, token) => {
    expect(jwt.verify(TYP, token)).toBeUndefined();
  });

  it('is refused over 2 KiB, though rightly signed', () => {
    const ofLength = (chars: number): string => forge(HEADER, { iss: 'foyer', pad: 'x'.repeat(chars) });
    const overhead = ofLength(0).length;
    const fitting = ofLength(Math.floor(((2048 - overhead) * 3) / 4) - 3);
    expect(fitting.length).toBeGreaterThan(2040);
    expect(jwt.verify(TYP, fitting)).toBeDefined();
    expect(jwt.verify(TYP, ofLength(1500))).toBeUndefined();
  });

  it('is refused as often as it is tried', () => {
    const bad = `${header}.${payload}.${signature('something else')}`;
    expect(jwt.verify(TYP, bad)).toBeUndefined();
    expect(jwt.verify(TYP, bad)).toBeUndefined();
  });
});

describe('the memory of verified tokens', () => {
  it('keeps what was used within the last two generations and forgets the rest', () => {
    const cache = new GenerationalCache<number>(2);
    for (const key of ['a', 'b', 'c', 'd']) cache.set(key, 1);
    expect(cache.get('a')).toBe(1);
    cache.set('e', 1);
    expect(cache.get('a')).toBe(1);
    expect(cache.get('b')).toBeUndefined();
  });
});
