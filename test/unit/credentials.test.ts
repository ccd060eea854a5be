import { describe, expect, it } from 'vitest';
import { isEmail, NAME_PATTERN } from '../../src/kernel/credentials.js';

describe('e-mail addresses and names', () => {
  it.each(['a@b', 'mina.kim+foyer@mail.example.co.kr', `${'a'.repeat(242)}@example.com`])(
    'accept the address %s',
    (email) => {
      expect(isEmail(email)).toBe(true);
    },
  );

  it.each([
    'mina',
    '@example.com',
    'mina@',
    'mi na@example.com',
    'mina@example..com',
    'mina@-example.com',
    'a@b@c',
    'mina@example.com\n',
    'mina@exa_mple.com',
    '민아@example.com',
    `${'a'.repeat(243)}@example.com`,
  ])('reject %j as an address', (email) => {
    expect(isEmail(email)).toBe(false);
  });

  it('accept any visible name', () => {
    const isName = (text: string): boolean => new RegExp(NAME_PATTERN, 'u').test(text);
    for (const name of ['민아', 'Mina Kim', "O'Hara", '👩‍🎤', ' x ']) expect(isName(name), name).toBe(true);
    for (const name of ['', ' ', '\u3000', 'a\nb', 'a\u0000', '\u007f', 'a\u0085', '\ud800a']) {
      expect(isName(name), JSON.stringify(name)).toBe(false);
    }
  });
});
