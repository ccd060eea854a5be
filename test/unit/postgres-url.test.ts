import { describe, expect, it } from 'vitest';
import { parsePostgresUrl } from '../../src/platform/sql/index.js';

const DEFAULTS = { needsPrimary: false, ssl: 'off', prepare: true };

describe('a PostgreSQL URL', () => {
  it('contains user, password, host, port and database', () => {
    expect(parsePostgresUrl('postgres://fo%40yer:p%3Ass@db.example:6543/sale')).toEqual({
      hosts: [{ host: 'db.example', port: 6543 }],
      user: 'fo@yer',
      password: 'p:ss',
      database: 'sale',
      ...DEFAULTS,
    });
  });

  it('needs only a host', () => {
    expect(parsePostgresUrl('postgresql://db')).toEqual({
      hosts: [{ host: 'db', port: 5432 }],
      user: undefined,
      password: undefined,
      database: undefined,
      ...DEFAULTS,
    });
  });

  it('can list several hosts, each with its own port', () => {
    const address = parsePostgresUrl('postgres://a,b:6000,[::1]:7000/foyer?target_session_attrs=read-write');
    expect(address?.hosts).toEqual([
      { host: 'a', port: 5432 },
      { host: 'b', port: 6000 },
      { host: '::1', port: 7000 },
    ]);
    expect(address?.needsPrimary).toBe(true);
  });

  it.each([
    ['sslmode=require', { ssl: 'unverified' }],
    ['sslmode=verify-full', { ssl: 'verified' }],
    ['prepare=off', { prepare: false }],
    ['target_session_attrs=any', { needsPrimary: false }],
    ['target_session_attrs=primary&sslmode=disable', { needsPrimary: true, ssl: 'off' }],
  ])('accepts %s', (query, expected) => {
    expect(parsePostgresUrl(`postgres://db/foyer?${query}`)).toMatchObject(expected);
  });

  it.each([
    'mysql://db/foyer',
    'postgres://',
    'postgres://db:0/foyer',
    'postgres://db:70000/foyer',
    'postgres://a,,b/foyer',
    'postgres://a b/foyer',
    'postgres://u:p:q@db/foyer',
    'postgres://db/foyer/more',
    'postgres://db/foyer?sslmode=maybe',
    'postgres://db/foyer?target_session_attrs=standby',
    'postgres://db/foyer?connect_timeout=3',
    'db/foyer',
  ])('is refused if any part is unknown: %s', (url) => {
    expect(parsePostgresUrl(url)).toBeUndefined();
  });
});
