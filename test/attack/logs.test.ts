import { describe, expect, it } from 'vitest';
import { sendRaw, statusesIn } from '../support/attack/raw-http.js';
import { sqlite } from '../support/databases.js';
import { useOwnFoyer } from '../support/foyer.js';
import { join, openSale, PRICE, signUpFan } from '../support/sale.js';
import { OPERATOR, SECRET } from '../support/server.js';
import { claim, payFor } from '../support/steps.js';

const FORGED_LINE = '{"level":60,"msg":"the safe is open"}';

describe('the log at level trace', () => {
  const foyer = useOwnFoyer(sqlite, { FOYER_LOG_LEVEL: 'trace', FOYER_SECRET_OTHER: 'the-secret-until-now' });

  /** The lines logged so far, without the greeting that the server prints at its start. */
  const lines = (): string[] =>
    foyer.server
      .output()
      .split('\n')
      .filter((line) => line !== '' && !/^(Foyer is listening|  promoters:)/.test(line));

  const loggedLines = (): Record<string, unknown>[] =>
    lines().map((line): Record<string, unknown> => JSON.parse(line));

  it('contains one JSON object per line, whatever clients put into paths, headers and bodies', async () => {
    const { client, server } = foyer;
    const injected = encodeURIComponent(`\r\n${FORGED_LINE}\r\n`);
    for (const path of [
      `/concerts/${injected}`,
      `/${injected}`,
      `/concerts?cursor=${injected}`,
      `/reservations/${injected}`,
    ])
      expect((await client.get(path, foyer.operator)).status).toBeGreaterThanOrEqual(400);
    for (const name of [`Fan\r\n${FORGED_LINE}`, `Fan\u2028${FORGED_LINE}`, `\u001b[2J${FORGED_LINE}`]) {
      const body = { email: 'evil@fans.example', password: 'fan-password', name };
      await client.post('/users', undefined, body);
    }
    await client.call('POST', '/sessions', {
      raw: `{"email":"a\\r\\n${FORGED_LINE.replaceAll('"', '\\"')}"}`,
    });
    await client.call('GET', '/concerts', {
      headers: { 'user-agent': FORGED_LINE, 'x-request-id': FORGED_LINE },
    });
    const logged = loggedLines();
    expect(logged.length).toBeGreaterThan(5);
    for (const line of logged) {
      expect(line).toMatchObject({ level: expect.any(Number), time: expect.any(Number) });
      expect(line['level']).not.toBe(60);
      expect(line['msg']).not.toBe('the safe is open');
    }
    expect(server.output()).not.toContain('\u001b');
  });

  it('contains no secret, password or token after a complete sale', async () => {
    const { client, operator } = foyer;
    const sale = await openSale(client, operator);
    const fan = await signUpFan(client, PRICE);
    const { token } = (await join(client, fan, sale)).body;
    const seats = await client.get(
      `/schedules/${sale.scheduleIds[0] ?? ''}/seats?token=${String(token)}`,
      token,
    );
    expect([200, 400]).toContain(seats.status);
    const free = await client.get(`/schedules/${sale.scheduleIds[0] ?? ''}/seats`, token);
    const { id } = await claim(client, token, sale, [free.body.items[0].id]);
    await payFor(client, token, id);
    await client.post('/sessions', undefined, { email: fan.email, password: 'a-wrong-password' });
    await client.call('POST', '/sessions', { raw: `{"email":"${fan.email}","password":"a-broken-password"` });
    await client.call('POST', '/users', {
      body: { email: 'x@fans.example', password: 'a-refused-password', name: 5 },
    });
    await client.get('/users/me', `${fan.accessToken}x`);
    expect(loggedLines().length).toBeGreaterThan(5);
    const text = lines().join('\n');
    const secrets = [
      SECRET,
      'the-secret-until-now',
      OPERATOR.password,
      'fan-password',
      'a-wrong-password',
      'a-broken-password',
      'a-refused-password',
      // The signature of a token is enough to find it.
      ...[operator, fan.accessToken, String(token)].map((jwt) => jwt.split('.')[2] ?? jwt),
    ];
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/Bearer|eyJ[\w-]{10}|argon2/);
  });
});

describe('HTTP headers', () => {
  const foyer = useOwnFoyer(sqlite);

  it('of a response never contain what a client put into the path or headers', async () => {
    const { server } = foyer;
    const injected = '%0d%0aSet-Cookie:%20a=b%0d%0a%0d%0a<script>';
    for (const path of [
      `/${injected}`,
      `/assets/${injected}`,
      `/api/v1/concerts/${injected}`,
      `/concerts/${injected}`,
    ]) {
      const text = await sendRaw(
        server.url,
        `GET ${path} HTTP/1.1\r\nHost: foyer\r\nConnection: close\r\nOrigin: http://evil.example\r\nX-Request-Id: evil\r\n\r\n`,
      );
      const head = text.slice(0, text.indexOf('\r\n\r\n'));
      expect(statusesIn(text)).toHaveLength(1);
      expect(head).not.toMatch(/set-cookie|evil|script>/i);
    }
  });

  it('with bare line feeds, folded lines or control characters are refused with 400', async () => {
    const { server } = foyer;
    for (const header of [
      'X-A: b\nX-C: d',
      'X-A: b\r\n folded',
      'X-A: b\u0000c',
      'X-A : b',
      ': b',
      'X-A\u0001: b',
    ]) {
      const text = await sendRaw(
        server.url,
        `GET /api/v1/concerts HTTP/1.1\r\nHost: foyer\r\nConnection: close\r\n${header}\r\n\r\n`,
      );
      const statuses = statusesIn(text);
      expect(statuses, JSON.stringify(header)).toEqual([400]);
    }
  });
});
