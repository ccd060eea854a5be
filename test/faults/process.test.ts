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
/** What the contract gives a server to stop. */
const STOP_MAX_MS = 10_000;

async function startOn(directory: string): Promise<StartedServer> {
  const server = await startServer({ FOYER_DATA_DIR: directory });
  onTestFinished(() => server.kill());
  return server;
}

/** A connection that sends what it is given and stays open. */
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

/** Requests on one connection after another, until the server takes no more; what is broken off is not an answer. */
function pollOnAndOn(
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

/** Sign-ups that the server has taken in and not answered yet: each takes it a while, and they take turns. */
async function beginSignUps(client: Client): Promise<{ answers: Promise<Answer[]>; underWay: () => number }> {
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
  // All were sent together: by the time of the first answer the others have been taken in.
  await Promise.race(signUps);
  return { answers, underWay: () => count - answered };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a server that is told to stop', () => {
  it('finishes what it has begun, ends the streams, and exits with 0', async () => {
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
    const polls = pollOnAndOn(server.url, token);
    const signUps = await beginSignUps(client);

    const startedMs = Date.now();
    const stopped = server.stop();
    expect(signUps.underWay()).toBeGreaterThan(0);
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

    // Everything that was answered is there when it starts again.
    const again = createClient((await startOn(directory)).url);
    for (const { body } of answers) {
      expect((await again.get('/users/me', body.accessToken)).body).toEqual(body.user);
    }
    expect((await again.get('/queue-tokens/me', token)).body).toMatchObject({ status: 'ACTIVE' });
  });

  it('does not wait for a connection whose last request it has answered', async () => {
    const server = await startOn(memoryDirectory());
    const signUps = await beginSignUps(createClient(server.url));
    expect(await server.stop()).toBe(0);
    expect((await signUps.answers).map(({ status }) => status)).toContain(201);
    expect(server.output()).not.toContain('closing connections');
  });

  it('cuts off whoever does not finish, and still exits with 0 in time', async () => {
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

  it('takes Ctrl-C for the same, also when it comes twice: npm passes on what the terminal has sent already', async () => {
    const server = await startOn(memoryDirectory());
    const signUps = await beginSignUps(createClient(server.url));
    process.kill(server.pid, 'SIGINT');
    await eventually(
      () => readiness(server.url),
      (answer) => answer !== 200,
    );
    expect(signUps.underWay()).toBeGreaterThan(0);
    process.kill(server.pid, 'SIGINT');
    const answers = await signUps.answers.catch(() => 'broken off');
    await eventually(
      () => Promise.resolve(isRunning(server.pid)),
      (running) => !running,
    );
    expect(await server.stop()).toBe(0);
    expect(answers).not.toBe('broken off');
  });
});

/** Says what is wrong in words for people, without a stack trace, and ends with a code for scripts. */
function expectFault({ code, stdout, stderr }: Ended, message: RegExp): void {
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/^ {4}at /m);
  expect(code).toBe(1);
  expect(stdout).not.toContain('listening on');
}

const isOneLine = (text: string): boolean => text.trim().split('\n').length === 1;

describe('a server that cannot start', () => {
  it('says that its port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => {
      other.close();
    });
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const ended = await runFailingStart({ PORT: String(port), FOYER_DATA_DIR: memoryDirectory() });
    expectFault(ended, new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is taken`));
    expect(ended.stderr).toSatisfy(isOneLine);
  });

  it('says that its directory cannot be used', async () => {
    const file = join(memoryDirectory(), 'a-file');
    writeFileSync(file, '');
    const ended = await runFailingStart({ PORT: '0', FOYER_DATA_DIR: join(file, 'below') });
    expectFault(ended, new RegExp(`data directory ${join(file, 'below')} cannot be created`));
    expect(ended.stderr).toSatisfy(isOneLine);
  });

  it('says which process has its directory', async () => {
    const directory = memoryDirectory();
    const first = await startOn(directory);
    const ended = await runFailingStart({ PORT: '0', FOYER_DATA_DIR: directory });
    expectFault(ended, new RegExp(`in use by another Foyer \\(pid ${first.pid}\\)`));
    expect(ended.stderr).toSatisfy(isOneLine);
    expect(await readiness(first.url)).toBe(200);
  });

  it('names everything that is wrong with its settings at once', async () => {
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
    for (const name of names) expectFault(ended, new RegExp(name));
    expect(ended.stderr).not.toContain('short');
  });

  it('says that its database is of a newer Foyer, and leaves it alone', async () => {
    const directory = memoryDirectory();
    await (await startOn(directory)).stop();
    const newer = MIGRATION_NAMES.length + 1;
    const database = new Database(join(directory, 'foyer.db'));
    database.exec(`INSERT INTO migrations (version, name, checksum) VALUES (${newer}, 'of the future', '')`);
    database.close();
    const ended = await runFailingStart({ PORT: '0', FOYER_DATA_DIR: directory });
    expectFault(ended, new RegExp(`schema version ${newer}.*newer Foyer`));
    expect(ended.stderr).toSatisfy(isOneLine);
  });

  it.each([
    [`UPDATE migrations SET checksum = ''`, /^Migration 0001_initial_schema was edited after it was applied/],
    ['PRAGMA user_version = 7', /^This database was made by a pre-release of Foyer/],
  ])('says that its schema cannot be trusted after "%s"', async (sql, message) => {
    const directory = memoryDirectory();
    await (await startOn(directory)).stop();
    const database = new Database(join(directory, 'foyer.db'));
    database.exec(sql);
    database.close();
    const ended = await runFailingStart({ PORT: '0', FOYER_DATA_DIR: directory });
    expectFault(ended, message);
    expect(ended.stderr).toSatisfy(isOneLine);
  });
});

describe('a server whose log nobody reads any more', () => {
  it('serves on, and ends in peace', async () => {
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

describe('a server whose disk takes no more', () => {
  it('stops without another answer, and has everything it answered when it starts again', async () => {
    const directory = memoryDirectory();
    const { url, exited } = await startWithSmallFiles(directory);
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

    const again = await startOn(directory);
    const database = new Database(join(directory, 'foyer.db'), { readonly: true });
    const kept = database
      .prepare<[], { id: string }>('SELECT id FROM wallet_entries')
      .all()
      .map(({ id }) => id);
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    database.close();
    expect(entries.filter((id) => !kept.includes(id))).toEqual([]);
    const wallet = await createClient(again.url).get('/wallet', fan.accessToken);
    expect(wallet.body.balance).toBe(kept.length);
  });
});

/** A server none of whose files may grow beyond 1 MiB: writing fails as on a broken disk. */
async function startWithSmallFiles(
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
  let said = '';
  for await (const chunk of output) {
    said += String(chunk);
    const url = /listening on (http:\/\/\S+)/.exec(said)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`the server did not start:\n${said}`);
}
