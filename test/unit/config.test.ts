import { describe, expect, it } from 'vitest';
import { readSettings, SettingsError } from '../../src/config.js';

/** The error messages for this environment, one per mistake. */
function errorsOf(env: Record<string, string>): string[] {
  try {
    readSettings(env);
  } catch (error) {
    if (error instanceof SettingsError) return error.message.split('\n').slice(1);
    throw error;
  }
  return [];
}

const SECRET = 'sixteen letters!';
const CLUSTER = { DATABASE_URL: 'postgres://foyer:hidden@db.example:5432/foyer', FOYER_SECRET: SECRET };

describe('settings', () => {
  it('have a default for everything', () => {
    expect(readSettings({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      dataDir: './data',
      databaseUrl: undefined,
      databaseConnections: 16,
      drainSeconds: 0,
      secret: undefined,
      secretOther: undefined,
      operator: undefined,
      demo: false,
      walletGate: undefined,
      rateLimits: true,
      logLevel: 'info',
      currency: 'KRW',
      streamsMax: 20_000,
      connectionsMax: 40_000,
      trustProxy: [],
      metrics: 'local',
    });
  });

  it('are read from the environment', () => {
    const env = {
      ...CLUSTER,
      PORT: '0',
      HOST: '::1',
      FOYER_DATA_DIR: '/srv/foyer',
      FOYER_OPERATOR_EMAIL: 'house@example.com',
      FOYER_OPERATOR_PASSWORD: 'open sesame',
      FOYER_DEMO: '1',
      FOYER_WALLET_GATE: 'queue-token',
      FOYER_DATABASE_CONNECTIONS: '9',
      FOYER_RATE_LIMITS: 'off',
      FOYER_LOG_LEVEL: 'silent',
      FOYER_CURRENCY: 'EUR',
      FOYER_MAX_STREAMS: '5',
      FOYER_MAX_CONNECTIONS: '6',
      FOYER_SECRET_OTHER: 'the secret before',
      FOYER_METRICS: 'off',
      FOYER_TRUST_PROXY: '10.0.0.1, 192.168.0.0/16,fd00::/8',
    };
    expect(readSettings(env)).toEqual({
      port: 0,
      host: '::1',
      dataDir: '/srv/foyer',
      databaseUrl: CLUSTER.DATABASE_URL,
      databaseConnections: 9,
      drainSeconds: 3,
      secret: SECRET,
      secretOther: 'the secret before',
      operator: { email: 'house@example.com', password: 'open sesame' },
      demo: true,
      walletGate: 'queue-token',
      rateLimits: false,
      logLevel: 'silent',
      currency: 'EUR',
      streamsMax: 5,
      connectionsMax: 6,
      trustProxy: ['10.0.0.1', '192.168.0.0/16', 'fd00::/8'],
      metrics: 'off',
    });
  });

  it('are unset when empty', () => {
    const names = [
      'PORT',
      'HOST',
      'DATABASE_URL',
      'FOYER_SECRET',
      'FOYER_OPERATOR_EMAIL',
      'FOYER_DEMO',
      'FOYER_TRUST_PROXY',
    ];
    const empty = Object.fromEntries(names.map((name) => [name, '']));
    expect(readSettings(empty)).toEqual(readSettings({}));
  });

  it('are frozen', () => {
    const settings = readSettings({
      FOYER_OPERATOR_EMAIL: 'a@example.com',
      FOYER_OPERATOR_PASSWORD: '12345678',
    });
    for (const part of [settings, settings.operator, settings.trustProxy])
      expect(Object.isFrozen(part)).toBe(true);
  });

  it.each([
    ['PORT', ['-1', '65536', '3000.5', '3e3', '0x10', ' 3000', '03000', 'http', '9'.repeat(400)]],
    ['HOST', ['http://localhost', 'a b', '127.0.0.1:3000']],
    ['FOYER_SECRET', ['fifteen letters']],
    ['FOYER_SECRET_OTHER', ['fifteen letters']],
    ['FOYER_METRICS', ['1', 'public', 'ON']],
    ['FOYER_DEMO', ['true', 'yes', '01', ' 1']],
    ['FOYER_WALLET_GATE', ['on', 'queue', 'QUEUE-TOKEN']],
    ['FOYER_RATE_LIMITS', ['0', 'ON', 'false']],
    ['FOYER_LOG_LEVEL', ['verbose', 'INFO']],
    ['FOYER_CURRENCY', ['krw', 'WON1', 'KR', '₩']],
    ['FOYER_MAX_STREAMS', ['0', '-1', 'many', '1000001']],
    ['FOYER_MAX_CONNECTIONS', ['0', '1e4', '1000001']],
    [
      'FOYER_TRUST_PROXY',
      [
        'true',
        '10.0.0.0/33',
        '10.0.0.1/',
        '0.0.0.0/0',
        '::/129',
        '10.0.0.1,,',
        '1.2.3.4/8/8',
        '010.0.0.1',
        'fe80::1%eth0',
      ],
    ],
  ])('reject an invalid %s', (name, values) => {
    for (const value of values) {
      const errors = errorsOf({ [name]: value });
      expect(errors, value).toHaveLength(1);
      expect(errors[0]).toMatch(new RegExp(`^${name} must `));
    }
  });

  it.each(['mysql://db/foyer', 'db.example', 'https://db.example', 'postgres:foyer', 'postgres://a b'])(
    'reject %s as a database URL',
    (url) => {
      expect(errorsOf({ ...CLUSTER, DATABASE_URL: url })).toEqual([
        'DATABASE_URL must be a postgres:// or postgresql:// URL',
      ]);
    },
  );

  it('accept both schemes of a PostgreSQL URL', () => {
    expect(errorsOf({ ...CLUSTER, DATABASE_URL: 'postgresql://db.example/foyer' })).toEqual([]);
  });

  it('require the secret with DATABASE_URL', () => {
    expect(errorsOf({ DATABASE_URL: CLUSTER.DATABASE_URL })).toEqual([
      'FOYER_SECRET must be set with DATABASE_URL',
    ]);
    expect(errorsOf({ ...CLUSTER, FOYER_SECRET: 'short' })).toEqual([
      'FOYER_SECRET must have at least 16 characters',
    ]);
  });

  it('reject a second secret that equals the first', () => {
    expect(errorsOf({ FOYER_SECRET: SECRET, FOYER_SECRET_OTHER: SECRET })).toEqual([
      'FOYER_SECRET_OTHER must not be the same as FOYER_SECRET',
    ]);
  });

  it('require both operator variables, validated like a sign-up', () => {
    const bothRequired = ['FOYER_OPERATOR_EMAIL and FOYER_OPERATOR_PASSWORD must be set together'];
    expect(errorsOf({ FOYER_OPERATOR_EMAIL: 'a@example.com' })).toEqual(bothRequired);
    expect(errorsOf({ FOYER_OPERATOR_PASSWORD: '12345678' })).toEqual(bothRequired);
    expect(errorsOf({ FOYER_OPERATOR_EMAIL: 'a.example.com', FOYER_OPERATOR_PASSWORD: '1234567' })).toEqual([
      'FOYER_OPERATOR_EMAIL must be an e-mail address of at most 254 characters',
      'FOYER_OPERATOR_PASSWORD must have 8 to 128 characters',
    ]);
    expect(
      errorsOf({
        FOYER_OPERATOR_EMAIL: `${'a'.repeat(243)}@example.com`,
        FOYER_OPERATOR_PASSWORD: '서'.repeat(129),
      }),
    ).toHaveLength(2);
  });

  it('count the characters of a password like a sign-up', () => {
    const operator = { FOYER_OPERATOR_EMAIL: 'a@example.com' };
    expect(errorsOf({ ...operator, FOYER_OPERATOR_PASSWORD: '🎸'.repeat(4) })).toHaveLength(1);
    expect(errorsOf({ ...operator, FOYER_OPERATOR_PASSWORD: '🎸'.repeat(128) })).toEqual([]);
  });

  it('reject unknown names, except FOYER_TEST_ names and empty values', () => {
    expect(errorsOf({ FOYER_SECRT: SECRET })).toEqual(['FOYER_SECRT is not a setting of Foyer']);
    expect(errorsOf({ FOYER_TEST_DATABASE_URL: 'x', FOYER_OLD: '', FOYERS: 'x', PATH: 'x' })).toEqual([]);
  });

  it('report all mistakes in one message, without values', () => {
    const env = {
      PORT: 'eighty',
      DATABASE_URL: 'mysql://foyer:hunter2@db.example',
      FOYER_OPERATOR_PASSWORD: 'hunter2',
      FOYER_DEMO: 'hunter2',
      FOYER_SECRT: 'hunter2',
    };
    expect(errorsOf(env).map((error) => error.split(' ')[0])).toEqual([
      'PORT',
      'DATABASE_URL',
      'FOYER_SECRET',
      'FOYER_OPERATOR_PASSWORD',
      'FOYER_OPERATOR_EMAIL',
      'FOYER_DEMO',
      'FOYER_SECRT',
    ]);
    expect(() => readSettings(env)).toThrow(
      /^Foyer cannot start with these settings:\n(?![^]*(hunter2|eighty))/,
    );
  });
});
