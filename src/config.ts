/**
 * Reads the settings from the environment. `readSettings` either returns complete, frozen and valid settings or throws one
 * `SettingsError` that lists every mistake. Unknown FOYER_ variables are mistakes, too: a mistyped name would silently keep
 * the default. Error texts name the variable and the rule, never the value, because values can be secrets and errors end
 * up in logs. docs/settings.md documents every variable.
 */
import { readFileSync } from 'node:fs';
import { isIP, isIPv6 } from 'node:net';
import { parsePostgresUrl } from './platform/sql/index.js';
import {
  EMAIL_MAX,
  isEmail,
  isPassword,
  PASSWORD_MAX,
  PASSWORD_MIN,
  PASSWORD_MEMORY_MIB_DEFAULT,
  PASSWORD_MEMORY_MIB_MAX,
  PASSWORD_MEMORY_MIB_MIN,
} from './kernel/credentials.js';
import { type Retention, RETENTION_SETTINGS, type RetentionName } from './kernel/retention.js';
import { isTimeZone } from './kernel/time-zone.js';
import {
  type Rate,
  RATE_LIMIT_DEFAULTS,
  type RateLimitName,
  type RateLimitSettings,
} from './kernel/rate-limits.js';

const PORT_MAX = 65_535;
const PORT_DEFAULT = 3000;
const SECRET_MIN = 16;
const DATABASE_CONNECTIONS_DEFAULT = 16;
/** One for transactions, two for reads, one for the change feed. */
const DATABASE_CONNECTIONS_MIN = 4;
const DATABASE_CONNECTIONS_MAX = 1000;
/** Long enough for a load balancer that checks readiness every second. */
const DRAIN_SECONDS_CLUSTER = 3;
const DRAIN_SECONDS_MAX = 60;
const STREAMS_DEFAULT = 20_000;
const CONNECTIONS_DEFAULT = 40_000;
/** More sockets than one process can open. */
const SOCKETS_MAX = 1_000_000;
const IPV4_BITS = 32;
const IPV6_BITS = 128;
const RATE_MAX = 1_000_000;
const RATE_PER_SECOND_MIN = 0.001;

/** A secret may also be given as the name of a file that contains it, as in `FOYER_SECRET_FILE`. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'FOYER_SECRET',
  'FOYER_SECRET_OTHER',
  'FOYER_OPERATOR_PASSWORD',
  'FOYER_SMTP_URL',
]);

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const METRICS = ['local', 'on', 'off'] as const;

export interface Settings {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** Undefined: SQLite in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** The most PostgreSQL connections this process opens. */
  readonly databaseConnections: number;
  /** How long requests are still accepted after SIGTERM, until the load balancer has removed the process. */
  readonly drainSeconds: number;
  /** Undefined: generated at the first start and stored in `dataDir`. */
  readonly secret: string | undefined;
  /** During a secret rotation: the previous or the next secret. Its tokens are accepted; nothing is signed with it. */
  readonly secretOther: string | undefined;
  /** The cost of new password hashes: the memory of argon2id. */
  readonly passwordMemoryMib: number;
  readonly operator: { readonly email: string; readonly password: string } | undefined;
  /** How mail is sent. Undefined: it stays in the outbox, and operators read it on the mailbox page. */
  readonly smtp: { readonly url: string; readonly from: string } | undefined;
  /** Where fans reach this installation, without a slash at the end; for links in mails. */
  readonly publicUrl: string;
  readonly demo: boolean;
  readonly walletGate: 'queue-token' | undefined;
  /** Undefined: no limits. */
  readonly rateLimits: RateLimitSettings | undefined;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly currency: string;
  readonly retention: Retention;
  /** Of concerts that name none: an IANA name. */
  readonly timeZone: string;
  readonly streamsMax: number;
  readonly connectionsMax: number;
  /** Proxies whose X-Forwarded-For header is trusted: IP addresses and CIDR ranges. */
  readonly trustProxy: readonly string[];
  /** Who may read `/metrics`: local programs, every client, or no one. */
  readonly metrics: (typeof METRICS)[number];
}

export class SettingsError extends Error {
  override readonly name = 'SettingsFault';

  constructor(errors: readonly string[]) {
    super(`Foyer cannot start with these settings:\n${errors.join('\n')}`);
  }
}

export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const read = new SettingsReader(env);
  const port = read.wholeNumber('PORT', 0, PORT_MAX) ?? PORT_DEFAULT;
  const host = read.text('HOST', 'must be a host name or an address', isHost) ?? '127.0.0.1';
  const settings: Settings = {
    port,
    host,
    dataDir: read.text('FOYER_DATA_DIR') ?? './data',
    databaseUrl: read.text('DATABASE_URL', 'must be a postgres:// or postgresql:// URL', isPostgresUrl),
    databaseConnections:
      read.wholeNumber('FOYER_DATABASE_CONNECTIONS', DATABASE_CONNECTIONS_MIN, DATABASE_CONNECTIONS_MAX) ??
      DATABASE_CONNECTIONS_DEFAULT,
    drainSeconds:
      read.wholeNumber('FOYER_DRAIN_SECONDS', 0, DRAIN_SECONDS_MAX) ??
      (read.isSet('DATABASE_URL') ? DRAIN_SECONDS_CLUSTER : 0),
    secret: readSecret(read),
    secretOther: readOtherSecret(read),
    passwordMemoryMib:
      read.wholeNumber('FOYER_PASSWORD_MEMORY_MIB', PASSWORD_MEMORY_MIB_MIN, PASSWORD_MEMORY_MIB_MAX) ??
      PASSWORD_MEMORY_MIB_DEFAULT,
    operator: readOperator(read),
    smtp: readSmtp(read),
    publicUrl: readPublicUrl(read) ?? localUrl(host, port),
    demo: read.oneOf('FOYER_DEMO', ['1', '0']) === '1',
    walletGate: read.oneOf('FOYER_WALLET_GATE', ['queue-token']),
    rateLimits: readRateLimits(read),
    logLevel: read.oneOf('FOYER_LOG_LEVEL', LOG_LEVELS) ?? 'info',
    currency:
      read.text('FOYER_CURRENCY', 'must be three capital letters, as in ISO 4217', isCurrency) ?? 'KRW',
    retention: Object.freeze(readRetention(read)),
    timeZone:
      read.text(
        'FOYER_TIME_ZONE',
        'must be a time zone of the IANA database, as in Asia/Seoul',
        isTimeZone,
      ) ?? 'Asia/Seoul',
    streamsMax: read.wholeNumber('FOYER_MAX_STREAMS', 1, SOCKETS_MAX) ?? STREAMS_DEFAULT,
    connectionsMax: read.wholeNumber('FOYER_MAX_CONNECTIONS', 1, SOCKETS_MAX) ?? CONNECTIONS_DEFAULT,
    trustProxy: Object.freeze(readTrustProxy(read)),
    metrics: read.oneOf('FOYER_METRICS', METRICS) ?? 'local',
  };
  const errors = [...read.errors, ...read.unknownNames()];
  if (errors.length > 0) throw new SettingsError(errors);
  return Object.freeze(settings);
}

function readSecret(read: SettingsReader): string | undefined {
  const secret = read.text('FOYER_SECRET', SECRET_RULE, isSecret);
  if (read.isSet('DATABASE_URL') && !read.isSet('FOYER_SECRET')) {
    // Processes that share a database accept each other's tokens, so no process can generate its own secret.
    read.errors.push('FOYER_SECRET must be set with DATABASE_URL');
  }
  return secret;
}

function readOtherSecret(read: SettingsReader): string | undefined {
  const other = read.text('FOYER_SECRET_OTHER', SECRET_RULE, isSecret);
  // Equal secrets are a mistake: the operator meant to rotate the secret.
  if (other !== undefined && other === read.text('FOYER_SECRET'))
    read.errors.push('FOYER_SECRET_OTHER must not be the same as FOYER_SECRET');
  return other;
}

function readOperator(read: SettingsReader): Settings['operator'] {
  const email = read.text(
    'FOYER_OPERATOR_EMAIL',
    `must be an e-mail address of at most ${EMAIL_MAX} characters`,
    isEmail,
  );
  const password = read.text(
    'FOYER_OPERATOR_PASSWORD',
    `must have ${PASSWORD_MIN} to ${PASSWORD_MAX} characters`,
    isPassword,
  );
  if (read.isSet('FOYER_OPERATOR_EMAIL') !== read.isSet('FOYER_OPERATOR_PASSWORD')) {
    read.errors.push('FOYER_OPERATOR_EMAIL and FOYER_OPERATOR_PASSWORD must be set together');
  }
  return email === undefined || password === undefined ? undefined : Object.freeze({ email, password });
}

function readRetention(read: SettingsReader): Retention {
  const readOne = (name: RetentionName): number => {
    const { variable, unitMs, min, max, standard } = RETENTION_SETTINGS[name];
    return (read.wholeNumber(`FOYER_RETENTION_${variable}`, min, max) ?? standard) * unitMs;
  };
  return {
    placesMs: readOne('placesMs'),
    idempotencyKeysMs: readOne('idempotencyKeysMs'),
    reservationsMs: readOne('reservationsMs'),
    samplesMs: readOne('samplesMs'),
    mailsMs: readOne('mailsMs'),
    auditMs: readOne('auditMs'),
  };
}

/** Also reads limits that are turned off: a mistake in them must not appear only when they are turned on. */
function readRateLimits(read: SettingsReader): Settings['rateLimits'] {
  const names = Object.keys(RATE_LIMIT_DEFAULTS) as RateLimitName[];
  const limits = Object.fromEntries(names.map((name) => [name, readRate(read, name)])) as RateLimitSettings;
  return read.oneOf('FOYER_RATE_LIMITS', ['on', 'off']) === 'off' ? undefined : Object.freeze(limits);
}

function readRate(read: SettingsReader, name: RateLimitName): Rate | null {
  const text = read.text(
    `FOYER_LIMIT_${name}`,
    RATE_RULE,
    (value) => value === 'off' || parseRate(value) !== null,
  );
  return text === undefined ? RATE_LIMIT_DEFAULTS[name] : parseRate(text);
}

function readSmtp(read: SettingsReader): Settings['smtp'] {
  const url = read.text('FOYER_SMTP_URL', 'must be an smtp:// or smtps:// URL', isSmtpUrl);
  const from = read.text(
    'FOYER_MAIL_FROM',
    'must be an e-mail address, or a name and an address as in "Foyer <tickets@example.com>"',
    isSender,
  );
  if (read.isSet('FOYER_SMTP_URL') && !read.isSet('FOYER_MAIL_FROM'))
    read.errors.push('FOYER_MAIL_FROM must be set with FOYER_SMTP_URL');
  return url === undefined || from === undefined ? undefined : Object.freeze({ url, from });
}

const readPublicUrl = (read: SettingsReader): string | undefined =>
  read
    .text('FOYER_PUBLIC_URL', 'must be an http:// or https:// URL without a path', isOrigin)
    ?.replace(/\/$/, '');

/** A browser cannot open the address that means every address of the machine. */
function localUrl(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

function readTrustProxy(read: SettingsReader): string[] {
  const list = read.text(
    'FOYER_TRUST_PROXY',
    'must be IP addresses or CIDR ranges, separated by commas',
    (text) => commaSeparated(text).every(isAddressOrRange),
  );
  return list === undefined ? [] : commaSeparated(list);
}

/** Reads variables, collects `errors`, and remembers which names it read. An empty value counts as unset. */
class SettingsReader {
  readonly errors: string[] = [];
  readonly #env: NodeJS.ProcessEnv;
  readonly #namesRead = new Set<string>();

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  isSet(name: string): boolean {
    const fileName = `${name}_FILE`;
    return (
      this.#variable(name) !== undefined || (SECRET_NAMES.has(name) && this.#variable(fileName) !== undefined)
    );
  }

  text(name: string, rule = '', isValid: (text: string) => boolean = () => true): string | undefined {
    const value = this.#valueOf(name);
    if (value === undefined || isValid(value)) return value;
    this.errors.push(`${name} ${rule}`);
    return undefined;
  }

  wholeNumber(name: string, min: number, max: number): number | undefined {
    const text = this.text(name, `must be a whole number from ${min} to ${max}`, (value) => {
      return /^(0|[1-9]\d{0,9})$/.test(value) && Number(value) >= min && Number(value) <= max;
    });
    return text === undefined ? undefined : Number(text);
  }

  oneOf<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
    const text = this.text(name, `must be ${choices.join(' or ')}`, (value) => {
      return choices.some((choice) => choice === value);
    });
    return choices.find((choice) => choice === text);
  }

  unknownNames(): string[] {
    return Object.keys(this.#env)
      .filter((name) => name.startsWith('FOYER_') && !name.startsWith('FOYER_TEST_'))
      .filter((name) => !this.#namesRead.has(name) && this.isSet(name))
      .map((name) => `${name} is not a setting of Foyer`);
  }

  #valueOf(name: string): string | undefined {
    const value = this.#variable(name);
    if (!SECRET_NAMES.has(name)) return value;
    const fileName = `${name}_FILE`;
    const file = this.#variable(fileName);
    if (file === undefined) return value;
    if (value === undefined) return this.#content(fileName, file);
    this.#report(`${name} and ${fileName} must not both be set`);
    return value;
  }

  #variable(name: string): string | undefined {
    this.#namesRead.add(name);
    const value = this.#env[name];
    return value === '' ? undefined : value;
  }

  /** Editors end a file with a line break, which is not part of the secret. */
  #content(fileName: string, file: string): string | undefined {
    try {
      const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
      if (text !== '') return text;
    } catch {
      // Reported below.
    }
    this.#report(`${fileName} must name a readable file that is not empty`);
    return undefined;
  }

  /** A setting may be read more than once, and its error is listed once. */
  #report(error: string): void {
    if (!this.errors.includes(error)) this.errors.push(error);
  }
}

const RATE_RULE = `must be off or burst/perSecond, for example 60/0.5: burst a whole number from 1 to ${RATE_MAX}, perSecond from ${RATE_PER_SECOND_MIN} to ${RATE_MAX}`;
const RATE = /^([1-9]\d{0,6})\/(\d{1,7}(?:\.\d{1,3})?)$/;

function parseRate(text: string): Rate | null {
  const [, burst = 0, perSecond = 0] = (RATE.exec(text) ?? []).map(Number);
  const isValid = burst <= RATE_MAX && perSecond >= RATE_PER_SECOND_MIN && perSecond <= RATE_MAX;
  return isValid ? Object.freeze({ burst, perSecond }) : null;
}

const SECRET_RULE = `must have at least ${SECRET_MIN} characters`;
const isSecret = (text: string): boolean => text.length >= SECRET_MIN;

const isHost = (text: string): boolean => isIP(text) !== 0 || /^[A-Za-z0-9._-]+$/.test(text);

const isSmtpUrl = (text: string): boolean =>
  /^smtps?:\/\//.test(text) && URL.canParse(text) && new URL(text).hostname !== '';

/** An address, or a name and an address in angle brackets. */
const isSender = (text: string): boolean => isEmail(/^[^<>"\p{Cc}]+ <([^<>]+)>$/u.exec(text)?.[1] ?? text);

const isOrigin = (text: string): boolean =>
  /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text.replace(/\/$/, '');

const isCurrency = (text: string): boolean => /^[A-Z]{3}$/.test(text);

const isPostgresUrl = (text: string): boolean => parsePostgresUrl(text) !== undefined;

const commaSeparated = (text: string): string[] => text.split(',').map((part) => part.trim());

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || rest.length > 0) return false;
  if (bits === undefined) return true;
  // Not /0: trusting every address would let every client choose its own address.
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? IPV4_BITS : IPV6_BITS);
}
