import { describe, expect, it } from 'vitest';
import { match, safeNext, signInAddress } from '../../web/src/app/addresses.js';

describe('addresses', () => {
  it('name what is shown', () => {
    expect(match('/concerts/:id', '/concerts/a%20b')).toEqual({ id: 'a b' });
    expect(match('/concerts/:id', '/concerts/a/')).toEqual({ id: 'a' });
    expect(match('/', '/')).toEqual({});
    for (const path of ['/concerts', '/concerts/', '/concerts/a/b', '/other/a'])
      expect(match('/concerts/:id', path)).toBeUndefined();
    expect(match('/concerts/:id', '/concerts/%')).toEqual({ id: '%' });
  });

  it('lead back after signing in, and never elsewhere', () => {
    expect(signInAddress('/mine')).toBe('/sign-in?next=%2Fmine');
    expect(safeNext('/concerts/a?b=c')).toBe('/concerts/a?b=c');
    for (const next of [null, '', 'mine', '//evil.example', '/\\evil.example', 'https://evil.example'])
      expect(safeNext(next)).toBe('/');
  });
});
