import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { connectTo, sendRaw, statusesIn } from '../support/attack/raw-http.js';
import { enterSale } from '../support/booking.js';
import { sqlite } from '../support/databases.js';
import { openEvents } from '../support/events.js';
import { useOwnFoyer } from '../support/foyer.js';
import { openSale, signUpFan } from '../support/sale.js';

const IDLE_CONNECTIONS = 3000;
/** The server allows 10 s for headers and 15 s for a request; a busy machine gets about twice that. */
const SLOW_MAX_MS = 29_000;

const CHARGE = 'POST /api/v1/wallet/charges HTTP/1.1\r\nHost: foyer\r\nContent-Type: application/json\r\n';

describe('a client that tries to exhaust the server', () => {
  const foyer = useOwnFoyer(sqlite);

  it(
    'is disconnected if it is silent or sends headers or a body too slowly, and delays no other client',
    { timeout: 60_000 },
    async () => {
      const { client, server } = foyer;
      // The text sent first, and the text sent twice a second after that, so that the connection is never idle.
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
        // A client that is still sending may see the connection close without a response.
        expect(statuses.filter((status) => status !== 408 && status !== 401)).toEqual([]);
      }
    },
  );

  it('gets 431 for oversized headers or paths', async () => {
    const { server } = foyer;
    const get = 'GET /api/v1/concerts HTTP/1.1\r\nHost: foyer\r\n';
    const one = await sendRaw(server.url, `${get}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(statusesIn(one)).toEqual([431]);
    const many = Array.from({ length: 3000 }, (_, at) => `X-${at}: 1\r\n`).join('');
    expect(statusesIn(await sendRaw(server.url, `${get}${many}\r\n`))).toEqual([431]);
    const path = `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: foyer\r\n\r\n`;
    expect(statusesIn(await sendRaw(server.url, path))).toEqual([431]);
  });

  it('gets 413 for an oversized body before the server has read it', async () => {
    const { server } = foyer;
    const { accessToken } = await signUpFan(foyer.client);
    const head = `${CHARGE}Authorization: Bearer ${accessToken}\r\n`;
    const declared = await sendRaw(server.url, `${head}Content-Length: 99999999999\r\n\r\n{}`);
    expect(statusesIn(declared)).toEqual([413]);
    const chunk = `1000\r\n${' '.repeat(0x1000)}\r\n`.repeat(20);
    const chunked = await sendRaw(server.url, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`);
    expect(statusesIn(chunked)).toEqual([413]);
  });

  it('gets 400 for conflicting or invalid body lengths and cannot smuggle a second request', async () => {
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

  it(
    `does not block other clients with ${IDLE_CONNECTIONS} idle connections`,
    { timeout: 60_000 },
    async () => {
      const { client, server, operator } = foyer;
      const sockets: Socket[] = [];
      try {
        for (let count = 0; count < IDLE_CONNECTIONS; count += 250) {
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
    },
  );
});

describe('event streams', () => {
  const foyer = useOwnFoyer(sqlite, { FOYER_MAX_STREAMS: '4' });

  it('beyond FOYER_MAX_STREAMS are refused, while other calls still work', async () => {
    const { client, server, operator } = foyer;
    const sale = await openSale(client, operator);
    const fans = await Promise.all(Array.from({ length: 5 }, () => enterSale(client, sale)));
    const listen = (at: number) => openEvents(server.url, '/queue-tokens/me/events', fans[at]?.token ?? '');
    const open = await Promise.all([0, 1, 2, 3].map(listen));
    expect(open.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const refused = await client.get('/queue-tokens/me/events', fans[4]?.token);
    expect([refused.status, refused.body.code]).toEqual([503, 'TOO_MANY_STREAMS']);
    // A fan without a stream can still poll.
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

  it('of one place replace each other, so that one fan cannot use up all streams', async () => {
    const { client, server, operator } = foyer;
    const { token, scheduleId } = await enterSale(client, await openSale(client, operator));
    const other = await enterSale(client, await openSale(client, operator));
    const seats = () => openEvents(server.url, `/schedules/${scheduleId}/seats/events`, token);
    const opened = [];
    for (let count = 0; count < 10; count += 1) opened.push(await seats());
    expect(opened.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    const ofOtherFan = await openEvents(server.url, '/queue-tokens/me/events', other.token);
    expect(ofOtherFan.status).toBe(200);
    for (const stream of [...opened, ofOtherFan]) stream.close();
  });
});
