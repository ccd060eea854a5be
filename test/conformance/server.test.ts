import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Booking, seatsAt, startBooking } from '../support/booking.js';
import { type Answer, createClient } from '../support/client.js';
import { DATABASES, type TestDatabase } from '../support/databases.js';
import { isSigned } from '../support/forge.js';
import { useOwnFoyer } from '../support/foyer.js';
import { eventually, hold, join, newKey, openSale, pay, signInOperator, signUpFan } from '../support/sale.js';
import { charge } from '../support/steps.js';
import { OPERATOR, SECRET, type StartedServer, startServer, tempDirectory } from '../support/server.js';
import { expectList, expectProblem } from '../support/shapes.js';

const SIGN_UPS_MAX = 1000;
const TRIES_MAX = 500;

/** Starts a server and kills it when the test has finished, passed or failed. */
async function start(env: Readonly<Record<string, string>>): Promise<StartedServer> {
  const server = await startServer(env);
  onTestFinished(() => server.kill());
  return server;
}

for (const database of DATABASES) {
  describe(`the server on ${database.name}`, () => {
    const foyer = useOwnFoyer(database);
    const root = (path: string): Promise<Response> => fetch(`${foyer.url}${path}`);

    it('listens on 127.0.0.1 by default', () => {
      expect(new URL(foyer.url).hostname).toBe('127.0.0.1');
    });

    it('returns 200 on /healthz and /readyz', async () => {
      expect((await root('/healthz')).status).toBe(200);
      expect((await root('/readyz')).status).toBe(200);
    });

    it('serves Prometheus metrics on /metrics', async () => {
      const answer = await root('/metrics');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain\b/);
      const lines = (await answer.text()).trimEnd().split('\n');
      expect(lines.some((line) => line.startsWith('# TYPE '))).toBe(true);
      for (const line of lines) expect(line).toMatch(/^(#|[a-zA-Z_:][\w:]*(\{.*\})? \S+$)/);
    });

    it('serves the API reference on /docs', async () => {
      const answer = await root('/docs');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^text\/html\b/);
      const [script = ''] = /\/assets\/docs-[^"]+\.js/.exec(await answer.text()) ?? [];
      expect((await root(script)).status).toBe(200);
    });
  });

  describe(`starting and stopping on ${database.name}`, () => {
    const databases: TestDatabase[] = [];
    const newDatabase = async (): Promise<TestDatabase> => {
      const created = await database.create();
      databases.push(created);
      return created;
    };
    afterAll(() => Promise.all(databases.map((each) => each.remove())));

    it('creates the operator on the first start only', async () => {
      const { env } = await newDatabase();
      const ids = new Set<string>();
      for (let time = 0; time < 2; time += 1) {
        const server = await start(env);
        const client = createClient(server.url);
        const me = await client.get('/users/me', await signInOperator(client));
        expect(me.body).toMatchObject({ email: OPERATOR.email, role: 'OPERATOR' });
        ids.add(me.body.id);
        await server.stop();
      }
      expect(ids.size).toBe(1);
    });

    it('seeds demo concerts with FOYER_DEMO=1 into an empty database only', async () => {
      const { env } = await newDatabase();
      const counts: number[] = [];
      for (const FOYER_DEMO of ['1', '1', '0']) {
        const server = await start({ ...env, FOYER_DEMO });
        counts.push(expectList(await createClient(server.url).get('/concerts')).length);
        await server.stop();
      }
      expect(counts[0]).toBeGreaterThan(0);
      expect(counts).toEqual(counts.map(() => counts[0]));

      const other = await newDatabase();
      const server = await start(other.env);
      const client = createClient(server.url);
      await openSale(client, await signInOperator(client));
      await server.stop();
      const again = await start({ ...other.env, FOYER_DEMO: '1' });
      expect(expectList(await createClient(again.url).get('/concerts'))).toHaveLength(1);
      await again.stop();
    });

    it('keeps serving requests for FOYER_DRAIN_SECONDS after /readyz has returned 503', async () => {
      const server = await start({ ...(await newDatabase()).env, FOYER_DRAIN_SECONDS: '4' });
      const stopped = server.stop();
      await eventually(
        () => fetch(`${server.url}/readyz`).then(({ status }) => status),
        (status) => status === 503,
      );
      expectList(await createClient(server.url).get('/concerts'));
      expect(await stopped).toBe(0);
      await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
    });

    it('returns 503 on /readyz while it drains, and exits with code 0', async () => {
      const server = await start((await newDatabase()).env);
      const { hostname, port } = new URL(server.url);
      const socket = connect(Number(port), hostname);
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      // Half a request keeps the connection open: the server may not exit before it has responded.
      socket.write('GET /readyz HTTP/1.1\r\nHost: foyer\r\n');
      await eventually(
        () => fetch(`${server.url}/readyz`).then(({ status }) => status),
        (status) => status === 200,
      );
      const stopped = server.stop();
      await eventually(
        () =>
          fetch(`${server.url}/readyz`).then(
            ({ status }) => status,
            () => 'refused',
          ),
        (status) => status !== 200,
      );
      socket.write('\r\n');
      await once(socket, 'close');
      expect(text).toMatch(/^HTTP\/1\.1 503 /);
      expect(text).toMatch(/^content-type: application\/problem\+json/im);
      expect(await stopped).toBe(0);
    });
  });

  describe(`rate limits on ${database.name}`, () => {
    const foyer = useOwnFoyer(database, { FOYER_RATE_LIMITS: 'on' });

    /** Repeats the request until it returns 429. */
    async function untilLimited(send: () => Promise<Answer>): Promise<void> {
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const answer = await send();
        if (answer.status !== 429) continue;
        expectProblem(answer, 429, 'TOO_MANY_REQUESTS');
        expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
        return;
      }
      throw new Error(`no 429 after ${TRIES_MAX} requests`);
    }

    it('limit signing in per account', async () => {
      const { client } = foyer;
      const [one, other] = [await signUpFan(client), await signUpFan(client)];
      await untilLimited(() =>
        client.post('/sessions', undefined, { email: one.email, password: 'wrong-password' }),
      );
      const allowed = await client.post('/sessions', undefined, {
        email: other.email,
        password: 'fan-password',
      });
      expect(allowed.status).toBe(201);
    });

    it('limit joining per fan', async () => {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator);
      const fan = await signUpFan(client);
      await untilLimited(() => join(client, fan, sale));
      expect((await join(client, await signUpFan(client), sale)).status).toBe(201);
    });

    it('limit holding seats', async () => {
      const booking: Booking = await startBooking(foyer);
      await untilLimited(() => hold(foyer.client, booking.token, booking.sale, seatsAt(booking, 0)));
    });

    it('limit charging a wallet, but not replaying a charge', async () => {
      const { client } = foyer;
      const [fan, other] = [await signUpFan(client), await signUpFan(client)];
      const key = newKey();
      const first = await client.post('/wallet/charges', fan.accessToken, { amount: 7 }, key);
      await untilLimited(() => charge(client, fan.accessToken, 1));
      const replay = await client.post('/wallet/charges', fan.accessToken, { amount: 7 }, key);
      expect([first.status, replay.status, replay.text]).toEqual([201, 201, first.text]);
      expect((await charge(client, other.accessToken, 1)).status).toBe(201);
    });

    it('limit paying', async () => {
      const { client } = foyer;
      const { accessToken } = await signUpFan(client);
      await untilLimited(() => pay(client, accessToken, 'no-such-reservation'));
    });

    it('limit releasing holds', async () => {
      const { client } = foyer;
      const { accessToken } = await signUpFan(client);
      await untilLimited(() => client.delete('/reservations/no-such-reservation', accessToken));
    });

    it.each(['seats', 'chart', 'state'])('limit reading the %s of a date', async (part) => {
      const { token, scheduleId } = await startBooking(foyer);
      await untilLimited(() => foyer.client.get(`/schedules/${scheduleId}/${part}`, token));
    });

    it('limit signing up', async () => {
      const { env, remove } = await database.create();
      const server = await start({ ...env, FOYER_RATE_LIMITS: 'on' });
      const client = createClient(server.url);
      const body = { email: 'one@fans.example', password: 'fan-password', name: 'F' };
      // Sent concurrently: each costs the server a password hash, and only the first 429 is awaited.
      const limited = new Promise<Answer>((resolve) => {
        for (let count = 0; count < SIGN_UPS_MAX; count += 1) {
          void client.post('/users', undefined, body).then(
            (answer) => {
              if (answer.status === 429) resolve(answer);
            },
            () => undefined,
          );
        }
      });
      const answer = await limited;
      await server.kill();
      await remove();
      expectProblem(answer, 429, 'TOO_MANY_REQUESTS');
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    });
  });
}

describe('the settings', () => {
  it('stop the start with one message that names every invalid setting', async () => {
    const wrong = {
      PORT: 'eighty',
      HOST: 'not a host',
      DATABASE_URL: 'mysql://nowhere',
      FOYER_SECRET: '',
      FOYER_OPERATOR_EMAIL: 'nobody',
      FOYER_OPERATOR_PASSWORD: 'short',
      FOYER_DEMO: 'perhaps',
      FOYER_WALLET_GATE: 'open',
      FOYER_RATE_LIMITS: 'some',
    };
    const message = await startServer(wrong).then(
      () => 'the server started',
      (error: unknown) => String(error),
    );
    expect(message).toMatch(/exited with [1-9]/);
    for (const name of Object.keys(wrong)) expect(message).toContain(name);
    expect(message, 'no stack trace').not.toMatch(/\.js:\d+/);
  });

  it('generate a secret on the first start and store it in the data directory when none is set', async () => {
    const { path, remove } = await tempDirectory();
    const env = { FOYER_DATA_DIR: path, FOYER_SECRET: '' };
    const first = await start(env);
    const fan = await signUpFan(createClient(first.url));
    expect(isSigned(fan.accessToken), `signed with ${SECRET}`).toBe(false);
    await first.stop();
    const second = await start(env);
    const me = await createClient(second.url).get('/users/me', fan.accessToken);
    expect(me).toMatchObject({ status: 200, body: { id: fan.id } });
    await second.stop();
    await remove();
  });
});
