import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { connectTo, sendRaw, statusesIn } from '../support/attack/raw-http.js';
import { enterSale } from '../support/booking.js';
import { sqlite } from '../support/databases.js';
import { openEvents } from '../support/events.js';
import { useOwnFoyer } from '../support/foyer.js';
import { openSale, signUpFan } from '../support/sale.js';

const IDLE = 3000;
/** Ten seconds for headers, fifteen for a request; a busy machine gets as much again. */
const SLOW_MAX_MS = 29_000;

const CHARGE = 'POST /api/v1/wallet/charges HTTP/1.1\r\nHost: foyer\r\nContent-Type: application/json\r\n';

describe('a client that wears the server out', () => {
  const foyer = useOwnFoyer(sqlite);

  it(
    'with slow headers, slow bodies or silence is let go, and nobody else waits for it',
    { timeout: 60_000 },
    async () => {
      const { client, server } = foyer;
      // What is sent at once, and then twice a second, so that the connection never looks idle.
      const slow = {
        silence: ['', ''],
        headers: ['GET /api/v1/concerts HTTP/1.1\r\nHost: foyer\r\nX-Slow: ', 'x'],
        body: [`${CHARGE}Content-Length: 1000\r\n\r\n{"amount":`, '1'],
        chunks: [`${CHARGE}Transfer-Encoding: chunked\r\n\r\n5\r\n{"amo\r\n`, '1\r\nx\r\n'],
      } as const;
      const startedMs = Date.now();
      const attempts = Object.values(slow).map(async ([first, drop]) => {
        const { socket, text, closed } = await connectTo(server.url);
        socket.write(first);
        const drip = setInterval(() => socket.write(drop), 500);
        await closed;
        clearInterval(drip);
        return { tookMs: Date.now() - startedMs, statuses: statusesIn(text()) };
      });
      while (Date.now() - startedMs < 3000) expect((await client.get('/concerts')).status).toBe(200);
      for (const { tookMs, statuses } of await Promise.all(attempts)) {
        expect(tookMs).toBeLessThan(SLOW_MAX_MS);
        // Some are told; one that was still sending may only see the end.
        expect(statuses.filter((status) => status !== 408 && status !== 401)).toEqual([]);
      }
    },
  );

  it('with headers without end is cut off', async () => {
    const { server } = foyer;
    const get = 'GET /api/v1/concerts HTTP/1.1\r\nHost: foyer\r\n';
    const one = await sendRaw(server.url, `${get}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(statusesIn(one)).toEqual([431]);
    const many = Array.from({ length: 3000 }, (_, at) => `X-${at}: 1\r\n`).join('');
    expect(statusesIn(await sendRaw(server.url, `${get}${many}\r\n`))).toEqual([431]);
    const path = `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: foyer\r\n\r\n`;
    expect(statusesIn(await sendRaw(server.url, path))).toEqual([431]);
  });

  it('with a body longer than it may be is refused before it has been read', async () => {
    const { server } = foyer;
    const { accessToken } = await signUpFan(foyer.client);
    const head = `${CHARGE}Authorization: Bearer ${accessToken}\r\n`;
    const told = await sendRaw(server.url, `${head}Content-Length: 99999999999\r\n\r\n{}`);
    expect(statusesIn(told)).toEqual([413]);
    const chunk = `1000\r\n${' '.repeat(0x1000)}\r\n`.repeat(20);
    const chunked = await sendRaw(server.url, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`);
    expect(statusesIn(chunked)).toEqual([413]);
  });

  it('with two lengths for one body, or none that is a number, smuggles nothing', async () => {
    const { server } = foyer;
    const smuggled = 'GET /metrics HTTP/1.1\r\nHost: foyer\r\n\r\n';
    for (const lengths of [
      `Content-Length: 2\r\nContent-Length: ${2 + smuggled.length}\r\n`,
      'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n',
      'Transfer-Encoding: chunked, identity\r\n',
      'Content-Length: +2\r\n',
      'Content-Length: 0x2\r\n',
    ]) {
      const text = await sendRaw(server.url, `${CHARGE}${lengths}\r\n{}${smuggled}`);
      expect(statusesIn(text), lengths).toEqual([400]);
    }
  });

  it(`with ${IDLE} idle connections takes nothing from the others`, { timeout: 60_000 }, async () => {
    const { client, server, operator } = foyer;
    const sockets: Socket[] = [];
    try {
      for (let count = 0; count < IDLE; count += 250) {
        const opened = await Promise.all(Array.from({ length: 250 }, () => connectTo(server.url)));
        sockets.push(...opened.map(({ socket }) => socket));
      }
      expect(sockets.filter(({ destroyed }) => !destroyed).length).toBeGreaterThan(0);
      const sale = await openSale(client, operator);
      const { token, seats } = await enterSale(client, sale);
      expect(seats).toHaveLength(10);
      expect((await client.get('/queue-tokens/me', token)).status).toBe(200);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
});

describe('streams', () => {
  const foyer = useOwnFoyer(sqlite, { FOYER_MAX_STREAMS: '4' });

  it('that are all taken refuse one more, and nothing else', async () => {
    const { client, server, operator } = foyer;
    const sale = await openSale(client, operator);
    const fans = await Promise.all(Array.from({ length: 5 }, () => enterSale(client, sale)));
    const listen = (at: number) => openEvents(server.url, '/queue-tokens/me/events', fans[at]?.token ?? '');
    const open = await Promise.all([0, 1, 2, 3].map(listen));
    expect(open.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const refused = await client.get('/queue-tokens/me/events', fans[4]?.token);
    expect([refused.status, refused.body.code]).toEqual([503, 'TOO_MANY_STREAMS']);
    // Whoever cannot listen still polls and books.
    expect((await client.get('/queue-tokens/me', fans[4]?.token)).body.status).toBe('ACTIVE');
    open[0]?.close();
    let freed = await listen(4);
    for (let tries = 0; freed.status === 503 && tries < 50; tries += 1) {
      await wait(50);
      freed = await listen(4);
    }
    expect(freed.status).toBe(200);
    for (const stream of [...open, freed]) stream.close();
  });

  it('cannot be hoarded: a place has one of each kind, and the newest wins', async () => {
    const { client, server, operator } = foyer;
    const { token, scheduleId } = await enterSale(client, await openSale(client, operator));
    const other = await enterSale(client, await openSale(client, operator));
    const seats = () => openEvents(server.url, `/schedules/${scheduleId}/seats/events`, token);
    const opened = [];
    for (let count = 0; count < 10; count += 1) opened.push(await seats());
    expect(opened.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    const theirs = await openEvents(server.url, '/queue-tokens/me/events', other.token);
    expect(theirs.status).toBe(200);
    for (const stream of [...opened, theirs]) stream.close();
  });
});
