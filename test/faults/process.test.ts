import Database from 'better-sqlite3';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Answer, type Client, createClient } from '../support/client.js';
import { openEvents } from '../support/events.js';
import { memoryDirectory } from '../support/memory-directory.js';
import { MIGRATION_NAMES } from '../support/migrations.js';
import { type Ended, runFailingStart } from '../support/programs.js';
import { eventually, joinActive, openSale, signInOperator, signUpFan } from '../support/sale.js';
import { SECRET, settingsOf, type StartedServer, startServer } from '../support/server.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** The contract: a server stops within ten seconds. */
const STOP_MAX_MS = 10_000;

/** A sign-up takes long enough that all of them have arrived when the first is answered. */
const SLOW_HASH_MIB = '128';

async function startOn(directory: string): Promise<StartedServer> {
  const server = await startServer({ FOYER_DATA_DIR: directory, FOYER_PASSWORD_MEMORY_MIB: SLOW_HASH_MIB });
  onTestFinished(() => server.kill());
  return server;
}

/** Opens a connection, sends `text` and leaves the connection open. */
async function openSocket(url: string, text: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  onTestFinished(() => {
    socket.destroy();
  });
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

async function readiness(url: string): Promise<number | 'refused'> {
  try {
    return (await fetch(`${url}/readyz`, { headers: { connection: 'close' } })).status;
  } catch {
    return 'refused';
  }
}

/** Polls in eight loops until the server accepts no more connections. Collects the status of every complete response. */
function pollUntilRefused(
  url: string,
  token: string,
): { readonly statuses: number[]; readonly ended: Promise<void> } {
  const client = createClient(url);
  const statuses: number[] = [];
  const loop = async (): Promise<void> => {
    for (;;) {
      try {
        statuses.push((await client.get('/queue-tokens/me', token)).status);
      } catch {
        return;
      }
    }
  };
  return { statuses, ended: Promise.all(Array.from({ length: 8 }, loop)).then(() => undefined) };
}

/** Sends sign-ups that the server is still working on: hashing is slow and has limited concurrency. */
async function beginSignUps(client: Client): Promise<{ answers: Promise<Answer[]>; pending: () => number }> {
  const count = 12;
  let answered = 0;
  const signUps = Array.from({ length: count }, async () => {
    const email = `${randomUUID()}@fans.example`;
    const answer = await client.post('/users', undefined, { email, password: 'fan-password', name: 'F' });
    answered += 1;
    return answer;
  });
  const answers = Promise.all(signUps);
  answers.catch(() => undefined);
  // All were sent concurrently, so the server has received the others by the time it answers the first.
  await Promise.race(signUps);
  return { answers, pending: () => count - answered };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a server that receives a stop signal', () => {
  it('finishes pending requests, ends the streams and exits with 0', async () => {
    const directory = memoryDirectory();
    const server = await startOn(directory);
    const client = createClient(server.url);
    const sale = await openSale(client, await signInOperator(client));
    const fan = await signUpFan(client);
    const token = await joinActive(client, fan, sale);
    const streams = await Promise.all([
      openEvents(server.url, '/queue-tokens/me/events', token),
      openEvents(server.url, `/schedules/${sale.scheduleIds[0] ?? ''}/seats/events`, token),
    ]);
    const polls = pollUntilRefused(server.url, token);
    const signUps = await beginSignUps(client);

    const startedMs = Date.now();
    const stopped = server.stop();
    expect(signUps.pending()).toBeGreaterThan(0);
    const ready = await eventually(
      () => readiness(server.url),
      (answer) => answer !== 200,
    );
    expect([503, 'refused']).toContain(ready);
    const answers = await signUps.answers;
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    await Promise.all(streams.map(({ ended }) => ended));
    expect(await stopped).toBe(0);
    expect(Date.now() - startedMs).toBeLessThan(STOP_MAX_MS);
    await polls.ended;
    expect(polls.statuses.length).toBeGreaterThan(0);
    expect(new Set(polls.statuses)).toSatisfy((seen: Set<number>) =>
      [...seen].every((status) => status === 200 || status === 503),
    );
    expect(await readiness(server.url)).toBe('refused');

    // Everything that was acknowledged is still there after a restart.
    const restarted = createClient((await startOn(directory)).url);
    for (const { body } of answers) {
      expect((await restarted.get('/users/me', body.accessToken)).body).toEqual(body.user);
    }
    expect((await restarted.get('/queue-tokens/me', token)).body).toMatchObject({ status: 'ACTIVE' });
  });

  it('does not wait for idle connections whose requests are all answered', async () => {
    const server = await startOn(memoryDirectory());
    const signUps = await beginSignUps(createClient(server.url));
    expect(await server.stop()).toBe(0);
    expect((await signUps.answers).map(({ status }) => status)).toContain(201);
    expect(server.output()).not.toContain('closing connections');
  });

  it('closes connections with unfinished requests and still exits with 0 in time', async () => {
    const server = await startOn(memoryDirectory());
    await openSocket(server.url, '');
    await openSocket(server.url, 'GET /healthz HT');
    await openSocket(
      server.url,
      'POST /api/v1/users HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"em',
    );
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    const startedMs = Date.now();
    expect(await server.stop()).toBe(0);
    expect(Date.now() - startedMs).toBeLessThan(STOP_MAX_MS);
  });

  it('stops gracefully on SIGINT, even on a second one, because npm forwards the terminal’s Ctrl-C again', async () => {
    const server = await startOn(memoryDirectory());
    const signUps = await beginSignUps(createClient(server.url));
    process.kill(server.pid, 'SIGINT');
    await eventually(
      () => readiness(server.url),
      (answer) => answer !== 200,
    );
    expect(signUps.pending()).toBeGreaterThan(0);
    process.kill(server.pid, 'SIGINT');
    const answers = await signUps.answers.catch(() => 'connection closed');
    await eventually(
      () => Promise.resolve(isRunning(server.pid)),
      (running) => !running,
    );
    expect(await server.stop()).toBe(0);
    expect(answers).not.toBe('connection closed');
  });
});

/** The process prints what is wrong without a stack trace, and exits with code 1. */
function expectStartError({ code, stdout, stderr }: Ended, message: RegExp): void {
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/^ {4}at /m);
  expect(code).toBe(1);
  expect(stdout).not.toContain('listening on');
}

const isOneLine = (text: string): boolean => text.trim().split('\n').length === 1;

describe('a server that cannot start', () => {
  it('reports that its port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => {
      other.close();
    });
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const ended = await runFailingStart({ PORT: String(port), FOYER_DATA_DIR: memoryDirectory() });
    expectStartError(ended, new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is taken`));
    expect(ended.stderr).toSatisfy(isOneLine);
  });

  it('reports that its data directory cannot be created', async () => {
    const file = join(memoryDirectory(), 'a-file');
    writeFileSync(file, '');
    const ended = await runFailingStart({ PORT: '0', FOYER_DATA_DIR: join(file, 'below') });
    expectStartError(ended, new RegExp(`data directory ${join(file, 'below')} cannot be created`));
    expect(ended.stderr).toSatisfy(isOneLine);
  });

  it('reports the pid of the process that uses its data directory', async () => {
    const directory = memoryDirectory();
    const first = await startOn(directory);
    const ended = await runFailingStart({ PORT: '0', FOYER_DATA_DIR: directory });
    expectStartError(ended, new RegExp(`in use by another Foyer \\(pid ${first.pid}\\)`));
    expect(ended.stderr).toSatisfy(isOneLine);
    expect(await readiness(first.url)).toBe(200);
  });

  it('reports all wrong settings in one message', async () => {
    const ended = await runFailingStart({
      PORT: '99999',
      FOYER_DEMO: 'yes',
      FOYER_SECRET: 'short',
      FOYER_RATE_LIMITS: 'maybe',
      FOYER_OPERATOR_EMAIL: 'operator@test.example',
      FOYER_SPEED: 'fast',
      FOYER_DATA_DIR: memoryDirectory(),
    });
    const names = [
      'PORT',
      'FOYER_DEMO',
      'FOYER_SECRET',
      'FOYER_RATE_LIMITS',
      'FOYER_OPERATOR_PASSWORD',
      'FOYER_SPEED',
    ];
    for (const name of names) expectStartError(ended, new RegExp(name));
    expect(ended.stderr).not.toContain('short');
  });

  it('reports a database of a newer Foyer', async () => {
    const directory = memoryDirectory();
    await (await startOn(directory)).stop();
    const newer = MIGRATION_NAMES.length + 1;
    const database = new Database(join(directory, 'foyer.db'));
    database.exec(`INSERT INTO migrations (version, name, checksum) VALUES (${newer}, 'of the future', '')`);
    database.close();
    const ended = await runFailingStart({ PORT: '0', FOYER_DATA_DIR: directory });
    expectStartError(ended, new RegExp(`schema version ${newer}.*newer Foyer`));
    expect(ended.stderr).toSatisfy(isOneLine);
  });

  it.each([
    [`UPDATE migrations SET checksum = ''`, /^Migration 0001_initial_schema was edited after it was applied/],
    ['PRAGMA user_version = 7', /^This database was made by a pre-release of Foyer/],
  ])('reports a schema that it cannot trust after "%s"', async (sql, message) => {
    const directory = memoryDirectory();
    await (await startOn(directory)).stop();
    const database = new Database(join(directory, 'foyer.db'));
    database.exec(sql);
    database.close();
    const ended = await runFailingStart({ PORT: '0', FOYER_DATA_DIR: directory });
    expectStartError(ended, message);
    expect(ended.stderr).toSatisfy(isOneLine);
  });
});

describe('a server whose log pipe is closed by the reader', () => {
  it('keeps serving and exits with 0', async () => {
    const child = spawn(process.execPath, [MAIN], {
      env: settingsOf({ FOYER_DATA_DIR: memoryDirectory(), FOYER_LOG_LEVEL: 'debug' }),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    const exited = once(child, 'exit');
    const client = createClient(await addressIn(child.stdout));
    child.stdout.destroy();
    for (let requests = 0; requests < 20; requests += 1) {
      expect((await client.get('/concerts')).status).toBe(200);
    }
    child.kill('SIGTERM');
    await exited;
    expect(child.exitCode).toBe(0);
  });
});

describe('a server whose disk refuses writes', () => {
  it('exits with 1, and a restart has everything that was acknowledged', async () => {
    const directory = memoryDirectory();
    const { url, exited } = await startWithFileSizeLimit(directory);
    const client = createClient(url);
    const fan = await signUpFan(client);
    const entries: string[] = [];
    const charge = async (): Promise<void> => {
      for (;;) {
        const answer = await client
          .post('/wallet/charges', fan.accessToken, { amount: 1 })
          .catch(() => undefined);
        if (answer === undefined) return;
        if (answer.status === 201) entries.push(answer.body.entry.id);
        else expect(answer.status).toBe(503);
      }
    };
    await Promise.all(Array.from({ length: 8 }, charge));
    expect(await exited).toBe(1);
    expect(entries.length).toBeGreaterThan(10);

    const restarted = await startOn(directory);
    const database = new Database(join(directory, 'foyer.db'), { readonly: true });
    const stored = database
      .prepare<[], { id: string }>('SELECT id FROM wallet_entries')
      .all()
      .map(({ id }) => id);
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    database.close();
    expect(entries.filter((id) => !stored.includes(id))).toEqual([]);
    const wallet = await createClient(restarted.url).get('/wallet', fan.accessToken);
    expect(wallet.body.balance).toBe(stored.length);
  });
});

/** Starts a server whose files cannot grow beyond 1 MiB: writes then fail as on a full disk. */
async function startWithFileSizeLimit(
  directory: string,
): Promise<{ url: string; exited: Promise<number | null> }> {
  const child = spawn('bash', ['-c', `ulimit -f 1024 && exec ${process.execPath} ${MAIN}`], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      FOYER_DATA_DIR: directory,
      FOYER_SECRET: SECRET,
      FOYER_RATE_LIMITS: 'off',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const exited = once(child, 'exit').then(() => child.exitCode);
  return { url: await addressIn(child.stdout), exited };
}

async function addressIn(output: Readable): Promise<string> {
  let text = '';
  for await (const chunk of output) {
    text += String(chunk);
    const url = /listening on (http:\/\/\S+)/.exec(text)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`the server did not start:\n${text}`);
}
