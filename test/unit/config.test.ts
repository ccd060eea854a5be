import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettings, SettingsError } from '../../src/config.js';
import { RATE_LIMIT_DEFAULTS } from '../../src/kernel/rate-limits.js';
import { memoryDirectory } from '../support/memory-directory.js';

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

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RETENTION = {
  placesMs: 2 * HOUR_MS,
  idempotencyKeysMs: 24 * HOUR_MS,
  reservationsMs: 30 * DAY_MS,
  samplesMs: 30 * DAY_MS,
  mailsMs: 7 * DAY_MS,
  auditMs: 730 * DAY_MS,
};

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
      passwordMemoryMib: 19,
      operator: undefined,
      smtp: undefined,
      publicUrl: 'http://127.0.0.1:3000',
      demo: false,
      walletGate: undefined,
      rateLimits: RATE_LIMIT_DEFAULTS,
      logLevel: 'info',
      currency: 'KRW',
      timeZone: 'Asia/Seoul',
      retention: RETENTION,
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
      FOYER_SMTP_URL: 'smtps://user:hidden@mail.example',
      FOYER_MAIL_FROM: 'Foyer <tickets@example.com>',
      FOYER_PUBLIC_URL: 'https://tickets.example/',
      FOYER_PASSWORD_MEMORY_MIB: '8',
      FOYER_DEMO: '1',
      FOYER_WALLET_GATE: 'queue-token',
      FOYER_DATABASE_CONNECTIONS: '9',
      FOYER_RATE_LIMITS: 'off',
      FOYER_LOG_LEVEL: 'silent',
      FOYER_CURRENCY: 'EUR',
      FOYER_TIME_ZONE: 'Europe/Berlin',
      FOYER_RETENTION_SAMPLES_DAYS: '7',
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
      passwordMemoryMib: 8,
      operator: { email: 'house@example.com', password: 'open sesame' },
      smtp: { url: 'smtps://user:hidden@mail.example', from: 'Foyer <tickets@example.com>' },
      publicUrl: 'https://tickets.example',
      demo: true,
      walletGate: 'queue-token',
      rateLimits: undefined,
      logLevel: 'silent',
      currency: 'EUR',
      timeZone: 'Europe/Berlin',
      retention: { ...RETENTION, samplesMs: 7 * DAY_MS },
      streamsMax: 5,
      connectionsMax: 6,
      trustProxy: ['10.0.0.1', '192.168.0.0/16', 'fd00::/8'],
      metrics: 'off',
    });
  });

  it('set each rate limit by itself', () => {
    const { rateLimits } = readSettings({
      FOYER_LIMIT_SIGN_IN_CLIENT: '5000/50',
      FOYER_LIMIT_PAY_ACCOUNT: '1/0.001',
      FOYER_LIMIT_HOLD_CLIENT: 'off',
    });
    expect(rateLimits).toEqual({
      ...RATE_LIMIT_DEFAULTS,
      SIGN_IN_CLIENT: { burst: 5000, perSecond: 50 },
      PAY_ACCOUNT: { burst: 1, perSecond: 0.001 },
      HOLD_CLIENT: null,
    });
  });

  it('report mistakes in rate limits that are turned off', () => {
    const errors = errorsOf({
      FOYER_RATE_LIMITS: 'off',
      FOYER_LIMIT_PAY_ACCOUNT: '10',
      FOYER_LIMIT_PAY_CLIENT: '10/1',
    });
    expect(errors).toEqual([
      expect.stringMatching(/^FOYER_LIMIT_PAY_ACCOUNT must be off or burst\/perSecond/),
      'FOYER_LIMIT_PAY_CLIENT is not a setting of Foyer',
    ]);
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
    ['FOYER_PASSWORD_MEMORY_MIB', ['7', '257', '19MiB']],
    ['FOYER_METRICS', ['1', 'public', 'ON']],
    ['FOYER_MAIL_FROM', ['Foyer', 'Foyer <>', 'a@b.example, c@d.example', 'Foyer\n <a@b.example>']],
    [
      'FOYER_PUBLIC_URL',
      ['tickets.example', 'ftp://tickets.example', 'https://tickets.example/shop', 'https://a@b.example'],
    ],
    ['FOYER_DEMO', ['true', 'yes', '01', ' 1']],
    ['FOYER_WALLET_GATE', ['on', 'queue', 'QUEUE-TOKEN']],
    ['FOYER_RATE_LIMITS', ['0', 'ON', 'false']],
    [
      'FOYER_LIMIT_CHARGE_ACCOUNT',
      [
        '10',
        '10/',
        '/1',
        '0/1',
        '10/0',
        '10/0.0001',
        '1.5/1',
        '-1/1',
        '10/1/1',
        '10 / 1',
        '1e3/1',
        '1000001/1',
        'on',
      ],
    ],
    ['FOYER_LOG_LEVEL', ['verbose', 'INFO']],
    ['FOYER_TIME_ZONE', ['Mars/Base', '+09:00', 'KST9', 'x'.repeat(65)]],
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

  it('require a sender with FOYER_SMTP_URL, which must be an SMTP URL', () => {
    expect(errorsOf({ FOYER_SMTP_URL: 'smtp://mail.example' })).toEqual([
      'FOYER_MAIL_FROM must be set with FOYER_SMTP_URL',
    ]);
    for (const url of ['https://mail.example', 'mail.example:25', 'smtp://', 'smtp:mail.example'])
      expect(errorsOf({ FOYER_SMTP_URL: url, FOYER_MAIL_FROM: 'a@b.example' })).toEqual([
        'FOYER_SMTP_URL must be an smtp:// or smtps:// URL',
      ]);
  });

  it('take the public URL from HOST and PORT, with brackets around an IPv6 address', () => {
    expect(readSettings({ HOST: '::1', PORT: '8080' }).publicUrl).toBe('http://[::1]:8080');
  });

  it('take localhost for the public URL if HOST means every address', () => {
    for (const HOST of ['0.0.0.0', '::'])
      expect(readSettings({ HOST, PORT: '8080' }).publicUrl).toBe('http://localhost:8080');
  });

  describe('with a secret in a file', () => {
    const writeSecret = (text: string): string => {
      const file = join(memoryDirectory(), 'secret');
      writeFileSync(file, text);
      return file;
    };

    it('read every secret from the file that NAME_FILE names', () => {
      const settings = readSettings({
        DATABASE_URL_FILE: writeSecret(`${CLUSTER.DATABASE_URL}\n`),
        FOYER_SECRET_FILE: writeSecret(`${SECRET}\r\n`),
        FOYER_SECRET_OTHER_FILE: writeSecret('the secret before'),
        FOYER_OPERATOR_EMAIL: 'house@example.com',
        FOYER_OPERATOR_PASSWORD_FILE: writeSecret('open sesame\n'),
        FOYER_SMTP_URL_FILE: writeSecret('smtp://user:hidden@mail.example\n'),
        FOYER_MAIL_FROM: 'tickets@example.com',
      });
      expect(settings).toMatchObject({
        databaseUrl: CLUSTER.DATABASE_URL,
        drainSeconds: 3,
        secret: SECRET,
        secretOther: 'the secret before',
        operator: { email: 'house@example.com', password: 'open sesame' },
        smtp: { url: 'smtp://user:hidden@mail.example', from: 'tickets@example.com' },
      });
    });

    it('reject a file that cannot be read or is empty, and a name that is set twice', () => {
      expect(errorsOf({ FOYER_SECRET_FILE: '/nonexistent/secret' })).toEqual([
        'FOYER_SECRET_FILE must name a readable file that is not empty',
      ]);
      expect(errorsOf({ ...CLUSTER, FOYER_SECRET: '', FOYER_SECRET_FILE: writeSecret('\n') })).toEqual([
        'FOYER_SECRET_FILE must name a readable file that is not empty',
      ]);
      expect(errorsOf({ FOYER_SECRET: SECRET, FOYER_SECRET_FILE: writeSecret(SECRET) })).toEqual([
        'FOYER_SECRET and FOYER_SECRET_FILE must not both be set',
      ]);
    });

    it('apply the rule of the setting to its content', () => {
      expect(errorsOf({ FOYER_SECRET_FILE: writeSecret('fifteen letters') })).toEqual([
        'FOYER_SECRET must have at least 16 characters',
      ]);
    });

    it('reject a file for a setting that is not a secret', () => {
      expect(errorsOf({ FOYER_CURRENCY_FILE: '/etc/hostname' })).toEqual([
        'FOYER_CURRENCY_FILE is not a setting of Foyer',
      ]);
    });
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

  it('read retention times in hours and days, at least as long as the API promises', () => {
    const changed = { FOYER_RETENTION_PLACES_HOURS: '3', FOYER_RETENTION_AUDIT_DAYS: '90' };
    expect(readSettings(changed).retention).toMatchObject({ placesMs: 3 * HOUR_MS, auditMs: 90 * DAY_MS });
    expect(errorsOf({ FOYER_RETENTION_PLACES_HOURS: '1', FOYER_RETENTION_RESERVATIONS_DAYS: '0' })).toEqual([
      'FOYER_RETENTION_PLACES_HOURS must be a whole number from 2 to 168',
      'FOYER_RETENTION_RESERVATIONS_DAYS must be a whole number from 1 to 3650',
    ]);
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
