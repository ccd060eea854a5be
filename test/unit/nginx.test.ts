import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enterSale } from '../support/booking.js';
import { type Client, createClient } from '../support/client.js';
import { sqlite } from '../support/databases.js';
import { useOwnFoyer } from '../support/foyer.js';
import { type Nginx, startNginx } from '../support/nginx.js';
import { openSale } from '../support/sale.js';
import { expectProblem } from '../support/shapes.js';
import { listen } from '../support/steps.js';

describe('Foyer behind nginx with docker/nginx.conf', () => {
  const foyer = useOwnFoyer(sqlite, {
    FOYER_RATE_LIMITS: 'on',
    FOYER_LIMIT_SIGN_IN_CLIENT: '5/0.001',
    FOYER_TRUST_PROXY: '127.0.0.1',
  });
  let nginx: Nginx;
  let client: Client;
  beforeAll(async () => {
    nginx = await startNginx(foyer.url);
    client = createClient(nginx.url);
  });
  afterAll(() => nginx.stop());

  it('accepts headers and addresses as long as Foyer does, and Foyer refuses longer ones', async () => {
    const long = (bytes: number) =>
      client.call('GET', '/concerts', { headers: { 'x-long': 'x'.repeat(bytes) } });
    expect((await long(15_000)).status).toBe(200);
    expectProblem(await long(17_000), 431, 'INVALID_REQUEST');
    expectProblem(await client.get(`/concerts?cursor=${'x'.repeat(15_000)}`), 400, 'INVALID_REQUEST');
  });

  it('passes bodies on, so that Foyer refuses what is too large', async () => {
    const body = { title: 'x'.repeat(70_000) };
    expectProblem(await client.post('/users', undefined, body), 413, 'PAYLOAD_TOO_LARGE');
    // As large as a seating plan may be: refused for its content, not its size.
    const large = await client.post('/operator/concerts', foyer.operator, { title: 'x'.repeat(15_000_000) });
    expectProblem(large, 400, 'INVALID_REQUEST');
  });

  it('overwrites forwarding headers of the client, so that limits count its own address', async () => {
    const statuses: number[] = [];
    for (let guess = 1; guess <= 8; guess += 1) {
      const answer = await client.call('POST', '/sessions', {
        body: { email: `g${guess}@fans.example`, password: 'a-wrong-guess' },
        headers: { 'x-forwarded-for': `198.51.100.${guess}` },
      });
      statuses.push(answer.status);
    }
    expect(statuses.slice(-3)).toEqual([429, 429, 429]);
  });

  it('sends events as they happen, and hides the metrics', async () => {
    const sale = await openSale(foyer.client, foyer.operator);
    const { token } = await enterSale(client, sale);
    const stream = await listen(nginx.url, token);
    await stream.next('admitted');
    expect((await fetch(`${nginx.url}/metrics`)).status).toBe(404);
  });
});
