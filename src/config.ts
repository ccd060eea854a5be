/**
 * Reads the settings from the environment. `readSettings` either returns complete, frozen and valid settings or throws one
 * `SettingsError` that lists every mistake. Unknown FOYER_ variables are mistakes, too: a mistyped name would silently keep
 * the default. Error texts name the variable and the rule, never the value, because values can be secrets and errors end
 * up in logs. docs/settings.md documents every variable.
 */
import { isIP } from 'node:net';
import { parsePostgresUrl } from './platform/sql/index.js';
import { EMAIL_MAX, isEmail, isPassword, PASSWORD_MAX, PASSWORD_MIN } from './kernel/credentials.js';

const PORT_MAX = 65_535;
const PORT_DEFAULT = 3000;
const SECRET_MIN = 16;
const DATABASE_CONNECTIONS_DEFAULT = 16;
/** One each for transactions, reads and the change feed. */
const DATABASE_CONNECTIONS_MIN = 3;
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
  readonly operator: { readonly email: string; readonly password: string } | undefined;
  readonly demo: boolean;
  readonly walletGate: 'queue-token' | undefined;
  readonly rateLimits: boolean;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly currency: string;
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
  const settings: Settings = {
    port: read.wholeNumber('PORT', 0, PORT_MAX) ?? PORT_DEFAULT,
    host: read.text('HOST', 'must be a host name or an address', isHost) ?? '127.0.0.1',
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
    operator: readOperator(read),
    demo: read.oneOf('FOYER_DEMO', ['1', '0']) === '1',
    walletGate: read.oneOf('FOYER_WALLET_GATE', ['queue-token']),
    rateLimits: read.oneOf('FOYER_RATE_LIMITS', ['on', 'off']) !== 'off',
    logLevel: read.oneOf('FOYER_LOG_LEVEL', LOG_LEVELS) ?? 'info',
    currency:
      read.text('FOYER_CURRENCY', 'must be three capital letters, as in ISO 4217', isCurrency) ?? 'KRW',
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
    return this.#valueOf(name) !== undefined;
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
    this.#namesRead.add(name);
    const value = this.#env[name];
    return value === '' ? undefined : value;
  }
}

const SECRET_RULE = `must have at least ${SECRET_MIN} characters`;
const isSecret = (text: string): boolean => text.length >= SECRET_MIN;

const isHost = (text: string): boolean => isIP(text) !== 0 || /^[A-Za-z0-9._-]+$/.test(text);

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
