import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { BUILD_WRITE_MAX_MS } from '../../src/catalog/build-concert.js';
import { readSettings } from '../../src/config.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const groups = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, group = '']) => group);
const unique = (names: readonly string[]): string[] => [...new Set(names)];

/** One instruction per line, without comments. */
const DOCKERFILE = read('Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '');
const COMPOSE = read('compose.yaml').replace(/^\s*#.*\n/gm, '');
const NGINX = read('docker/nginx.conf').replace(/#.*$/gm, '');
const { scripts, engines } = JSON.parse(read('package.json')) as {
  scripts: Record<string, string>;
  engines: { node: string };
};

const runs = groups(DOCKERFILE, /^RUN (.+)$/gm);
const [buildStage = '', finalStage = ''] = DOCKERFILE.split(/^(?=FROM )/m).slice(1);
/** Paths copied from the project directory. */
const copied = groups(DOCKERFILE, /^COPY (?!--from)(.+) \S+$/gm).flatMap((list) => list.split(' '));
const environment = Object.fromEntries(
  [...finalStage.matchAll(/\b([A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
);

describe('the Dockerfile', () => {
  it('runs only npm commands and scripts of package.json', () => {
    const npm = runs.filter((run) => run.startsWith('npm'));
    expect(npm).toEqual(['npm ci', 'npm run build', 'npm prune --omit=dev']);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(groups(npm.join('\n'), /^npm run (\S+)/gm)));
  });

  it('copies only existing files that .dockerignore includes', () => {
    expect(copied.length).toBeGreaterThan(0);
    const [everything, ...included] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(everything).toBe('*');
    for (const path of copied) {
      expect(existsSync(join(ROOT, path)), path).toBe(true);
      expect(included, path).toContain(`!${path.replace(/\/$/, '')}`);
    }
    expect(included.length).toBe(copied.length);
  });

  it('copies everything the server needs into the final stage', () => {
    const workdirs = groups(DOCKERFILE, /^WORKDIR (.+)$/gm);
    expect(unique(workdirs)).toEqual(['/app']);
    expect(groups(finalStage, /^COPY --from=build \/app\/(\S+) /gm)).toEqual([
      'package.json',
      'node_modules/',
      'dist/',
    ]);
    expect(finalStage).toMatch(/^COPY migrations\/ migrations\/$/m);
    expect(read('tsconfig.build.json')).toContain('"outDir": "dist"');
  });

  it('has compilers only in the build stage, and a Node.js version that package.json allows', () => {
    expect(buildStage).toContain('g++');
    expect(finalStage).not.toContain('apt-get');
    const [version = ''] = groups(DOCKERFILE, /^ARG NODE_VERSION=(\d+)$/gm);
    expect(engines.node).toContain(`^${version}.`);
    expect(groups(DOCKERFILE, /^FROM (\S+)/gm)).toEqual(Array(2).fill('node:${NODE_VERSION}-bookworm-slim'));
  });

  it('starts the server directly as an unprivileged user and stops it with SIGTERM', () => {
    const [command = ''] = groups(finalStage, /^CMD (.+)$/gm);
    expect(JSON.parse(command)).toEqual(['node', 'dist/main.js']);
    expect(scripts['start']).toContain('node dist/main.js');
    expect(existsSync(join(ROOT, 'src/main.ts'))).toBe(true);
    expect(finalStage).toMatch(/^USER node$/m);
    expect(finalStage).toMatch(/^STOPSIGNAL SIGTERM$/m);
  });

  it('sets valid settings that match EXPOSE and VOLUME', () => {
    const { NODE_ENV, ...settings } = environment;
    expect(NODE_ENV).toBe('production');
    const { host, port, dataDir } = readSettings(settings);
    expect(host).toBe('0.0.0.0');
    expect(finalStage).toMatch(new RegExp(`^EXPOSE ${port}$`, 'm'));
    expect(finalStage).toMatch(new RegExp(`^VOLUME ${dataDir}$`, 'm'));
    expect(finalStage).toMatch(new RegExp(`^RUN install -d -o node .* ${dataDir}$`, 'm'));
  });

  it('checks its health with Node.js only', () => {
    const [check = ''] = groups(finalStage, /^HEALTHCHECK .*CMD (\[.+\])$/gm);
    const [program, , script] = JSON.parse(check) as string[];
    expect(program).toBe('node');
    expect(script).toContain("process.env.PORT + '/healthz'");
    expect(read('src/http/observability/probes.ts')).toContain("'/healthz'");
  });
});

/** The lines of each service, by name. */
const services = new Map(
  [
    ...(COMPOSE.split(/^services:\n/m)[1] ?? '')
      .split(/^(?=\S)/m)[0]!
      .matchAll(/^ {2}(\S+):\n((?: {4,}.*\n|\n)+)/gm),
  ].map(([, name = '', lines = '']) => [name, lines] as const),
);
const serviceOf = (name: string): string => services.get(name) ?? '';
const processes = [...services.keys()].filter((name) => serviceOf(name).includes('<<: *foyer'));
const common = /^x-foyer: &foyer\n((?: .*\n)+)/m.exec(COMPOSE)?.[1] ?? '';
const addressOf = (service: string): string =>
  /ipv4_address: (\S+)/.exec(serviceOf(service))?.[1] ?? `${service} has no address`;

/** The settings of the three processes, with these values for the variables of .env, as Docker Compose inserts them. */
function settingsOf(variables: Readonly<Record<string, string>>): Record<string, string> {
  const [, block = ''] = /^ {2}environment:\n((?: {4}.*\n)+)/m.exec(common) ?? [];
  return Object.fromEntries(
    [...block.matchAll(/^ {4}([A-Z_]+): '?([^'\n]+)'?$/gm)].map(([, name = '', value = '']) => [
      name,
      value
        .replace(/\$\{(\w+):\?[^}]+\}/g, (_, secret: string) => variables[secret] ?? `no ${secret}`)
        .replace(/\$\{(\w+):-([^}]*)\}/g, (_, name: string, standard: string) => variables[name] ?? standard),
    ]),
  );
}

const SECRETS = {
  POSTGRES_PASSWORD: '0123456789abcdef',
  FOYER_SECRET: '0123456789abcdef0123456789abcdef',
  FOYER_OPERATOR_EMAIL: 'operator@venue.example',
  FOYER_OPERATOR_PASSWORD: '0123456789ab',
};

describe('compose.yaml', () => {
  it('starts three processes, PostgreSQL and a load balancer', () => {
    expect([...services.keys()]).toEqual(['postgres', ...processes, 'balancer']);
    expect(processes).toEqual(['foyer-1', 'foyer-2', 'foyer-3']);
    expect(COMPOSE).not.toContain('\t');
  });

  it('sets valid settings', () => {
    const settings = readSettings(settingsOf(SECRETS));
    expect(settings.databaseUrl).toBe('postgres://foyer:0123456789abcdef@postgres:5432/foyer');
    expect(settings.secret).toBe(SECRETS.FOYER_SECRET);
    expect(settings.operator?.email).toBe(SECRETS.FOYER_OPERATOR_EMAIL);
    expect(processes.length * settings.databaseConnections).toBeLessThan(100 - 10);
  });

  it('sends mail as .env says, with links to the address that it publishes', () => {
    const [published = ''] = groups(serviceOf('balancer'), /'(127\.0\.0\.1:\d+):\d+'/g);
    const settings = readSettings(settingsOf(SECRETS));
    expect(settings.publicUrl).toBe(`http://${published}`);
    expect(settings.smtp).toBeUndefined();
    const mail = {
      FOYER_PUBLIC_URL: 'https://tickets.example',
      FOYER_SMTP_URL: 'smtps://user:password@mail.example',
      FOYER_MAIL_FROM: 'Foyer <tickets@venue.example>',
    };
    expect(readSettings(settingsOf({ ...SECRETS, ...mail }))).toMatchObject({
      publicUrl: mail.FOYER_PUBLIC_URL,
      smtp: { url: mail.FOYER_SMTP_URL, from: mail.FOYER_MAIL_FROM },
    });
  });

  it('contains no secrets: all come from .env, which is not committed', () => {
    expect(unique(groups(COMPOSE, /\$\{(\w+):\?/g)).sort()).toEqual(Object.keys(SECRETS).sort());
    expect(unique(groups(COMPOSE, /\$\{(\w+:-[^}]*)/g))).toEqual([
      'FOYER_PUBLIC_URL:-http://127.0.0.1:8080',
      'FOYER_SMTP_URL:-',
      'FOYER_MAIL_FROM:-',
    ]);
    for (const line of groups(COMPOSE, /^ +\w*(?:PASSWORD|SECRET): (.+)$/gm)) expect(line).toMatch(/^\$\{/);
    expect(read('.gitignore').split('\n')).toContain('.env');
    for (const name of Object.keys(SECRETS))
      expect(read('docs/operations.md')).toMatch(new RegExp(`^${name}=`, 'm'));
  });

  it('uses the same database on both sides and waits until it is healthy', () => {
    const postgres = serviceOf('postgres');
    const url = new URL(settingsOf(SECRETS)['DATABASE_URL'] ?? '');
    expect(postgres).toContain(`POSTGRES_USER: ${url.username}\n`);
    expect(postgres).toContain(`POSTGRES_DB: ${url.pathname.slice(1)}\n`);
    expect(url.hostname).toBe('postgres');
    expect(postgres).toContain('pg_isready');
    expect(postgres).toMatch(/image: postgres:15\n/);
    const [volume = ''] = groups(postgres, /- (\S+):\/var\/lib\/postgresql\/data\n/g);
    expect(COMPOSE).toMatch(new RegExp(`^volumes:\\n {2}${volume}:`, 'm'));
    expect(common).toMatch(/depends_on:\n {4}postgres:\n {6}condition: service_healthy\n/);
  });

  it('gives each service an address and trusts only the load balancer as a proxy', () => {
    const [network = ''] = groups(COMPOSE, /- subnet: (\d+\.\d+\.\d+)\.0\/24/g);
    const addresses = [...services.keys()].map(addressOf);
    expect(unique(addresses)).toEqual(addresses);
    for (const address of addresses) expect(address.startsWith(`${network}.`), address).toBe(true);
    expect(settingsOf(SECRETS)['FOYER_TRUST_PROXY']).toBe(addressOf('balancer'));
  });

  it('gives a process time to finish before it is killed', () => {
    const [seconds = 0] = groups(common, /stop_grace_period: (\d+)s/g).map(Number);
    expect(seconds).toBeGreaterThan(10);
  });

  it('balances over exactly these processes and their port', () => {
    const balancer = serviceOf('balancer');
    for (const name of processes)
      expect(balancer).toMatch(new RegExp(`${name}:\\n +condition: service_healthy`));
    expect(groups(NGINX, /^ +server (\S+?:\d+)/gm)).toEqual(
      processes.map((name) => `${name}:${environment['PORT'] ?? ''}`),
    );
    const [, from = '', to = ''] = /- (\.\/\S+):(\S+):ro/.exec(balancer) ?? [];
    const [, file = ''] = /'-c', '([^']+)'/.exec(balancer) ?? [];
    expect(existsSync(join(ROOT, file.replace(to, from)))).toBe(true);
    const [published = ''] = groups(balancer, /'127\.0\.0\.1:\d+:(\d+)'/g);
    expect(NGINX).toContain(`listen ${published};`);
  });
});

describe('docker/nginx.conf', () => {
  it('has balanced braces', () => {
    expect(NGINX.split('{').length).toBe(NGINX.split('}').length);
  });

  it('closes an idle connection before Foyer does', () => {
    const [, keepAlive = ''] = /KEEP_ALIVE_MS = (\d+) \* SECOND_MS/.exec(read('src/http/server.ts')) ?? [];
    const [upstream = ''] = groups(NGINX, /upstream foyer \{([^}]+)\}/g);
    expect(upstream).toContain('keepalive_timeout 60s;');
    expect(Number(keepAlive)).toBeGreaterThan(60);
  });

  it('does not buffer event streams and waits longer than their heartbeat', () => {
    const [streams = ''] = groups(NGINX, /location ~ \/events\$ \{([^}]+)\}/g);
    expect(streams).toContain('proxy_buffering off;');
    expect(streams).toContain('gzip off;');
    expect(groups(streams, /proxy_read_timeout (\d+)s;/g)).toEqual(['75']);
    const paths = Object.keys(JSON.parse(read('openapi.json')).paths);
    expect(paths.filter((path) => path.endsWith('/events')).length).toBe(2);
  });

  it('waits longer for operator calls than adding a concert may take, and so does the page', () => {
    const [operator = ''] = groups(NGINX, /location \^~ \/api\/v1\/operator\/ \{([^}]+)\}/g);
    const [readSeconds = 0] = groups(operator, /proxy_read_timeout (\d+)s;/g).map(Number);
    const [pageSeconds = 0] = groups(
      read('web/src/operator/operator-api.ts'),
      /^const BUILD_TIMEOUT_MS = (\d+)_000;$/gm,
    ).map(Number);
    const buildSeconds = BUILD_WRITE_MAX_MS / 1000;
    expect(readSeconds).toBeGreaterThan(buildSeconds);
    expect(pageSeconds).toBeGreaterThan(buildSeconds);
    expect(operator).toContain('proxy_pass http://foyer;');
  });

  it('hides the metrics and does not retry writes', () => {
    expect(NGINX).toMatch(/location = \/metrics \{\s+return 404;/);
    expect(NGINX).toContain('proxy_next_upstream error timeout;');
    expect(NGINX).not.toContain('non_idempotent');
    expect(NGINX).toContain('proxy_set_header X-Forwarded-For $remote_addr;');
  });
});
