import { describe, expect, it } from 'vitest';
import { matchPath, safeRedirect, signInPath } from '../../web/src/app/paths.js';

describe('paths', () => {
  it('match patterns and yield decoded parameters', () => {
    expect(matchPath('/concerts/:id', '/concerts/a%20b')).toEqual({ id: 'a b' });
    expect(matchPath('/concerts/:id', '/concerts/a/')).toEqual({ id: 'a' });
    expect(matchPath('/', '/')).toEqual({});
    for (const path of ['/concerts', '/concerts/', '/concerts/a/b', '/other/a'])
      expect(matchPath('/concerts/:id', path)).toBeUndefined();
    expect(matchPath('/concerts/:id', '/concerts/%')).toEqual({ id: '%' });
  });

  it('redirect after signing in only within the site', () => {
    expect(signInPath('/mine')).toBe('/sign-in?next=%2Fmine');
    expect(safeRedirect('/concerts/a?b=c')).toBe('/concerts/a?b=c');
    for (const next of [null, '', 'mine', '//evil.example', '/\\evil.example', 'https://evil.example'])
      expect(safeRedirect(next)).toBe('/');
  });
});
