/** A parsed libpq URL: `postgres://user:password@a:5432,b:5433/foyer?target_session_attrs=read-write`. */
export interface PostgresAddress {
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string | undefined;
  /** Skip standbys: only a server that accepts writes is usable. */
  readonly needsPrimary: boolean;
  readonly ssl: 'off' | 'unverified' | 'verified';
  /** Whether to use prepared statements. Off behind a transaction-mode pooler that does not support them. */
  readonly prepare: boolean;
}

const PORT_DEFAULT = 5432;
const PORT_MAX = 65_535;
const SHAPE = /^postgres(?:ql)?:\/\/(?:([^@/?]*)@)?([^@/?]*)(?:\/([^?/]*))?(?:\?(.*))?$/;
const HOST = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?$/;

const SSL: Readonly<Record<string, PostgresAddress['ssl']>> = {
  disable: 'off',
  prefer: 'off',
  require: 'unverified',
  'verify-ca': 'verified',
  'verify-full': 'verified',
};

/** Undefined if any part is unknown: silently ignoring an option would hide a misconfiguration. */
export function parsePostgresUrl(text: string): PostgresAddress | undefined {
  const match = SHAPE.exec(text);
  if (!match) return undefined;
  const [, credentials = '', hostList = '', database, query = ''] = match;
  const [user, password, ...rest] = credentials.split(':').map(decode);
  const hosts = hostList.split(',').map(parseHost);
  const options = parseOptions(query);
  if (rest.length > 0 || options === undefined || !hosts.every((host) => host !== undefined))
    return undefined;
  return {
    hosts,
    user: user === '' ? undefined : user,
    password: password === '' ? undefined : password,
    database: database === undefined || database === '' ? undefined : decode(database),
    ...options,
  };
}

function parseHost(text: string): PostgresAddress['hosts'][number] | undefined {
  const match = HOST.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3] ?? PORT_DEFAULT);
  return host === undefined || port < 1 || port > PORT_MAX ? undefined : { host, port };
}

function parseOptions(query: string): Pick<PostgresAddress, 'needsPrimary' | 'ssl' | 'prepare'> | undefined {
  const options = { needsPrimary: false, ssl: SSL['prefer'] ?? 'off', prepare: true };
  for (const [name, value] of new URLSearchParams(query)) {
    const ssl = SSL[value];
    if (name === 'target_session_attrs' && ['any', 'read-write', 'primary'].includes(value)) {
      options.needsPrimary = value !== 'any';
    } else if (name === 'sslmode' && ssl !== undefined) {
      options.ssl = ssl;
    } else if (name === 'prepare' && ['on', 'off'].includes(value)) {
      options.prepare = value === 'on';
    } else {
      return undefined;
    }
  }
  return options;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
