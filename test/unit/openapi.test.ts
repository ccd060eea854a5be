import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';

const COMMITTED = new URL('../../openapi.json', import.meta.url);

/** Every operation that the HTTP contract names, as `METHOD path`. */
const CONTRACT = [
  'POST /users',
  'POST /sessions',
  'GET /users/me',
  'POST /concerts/{concertId}/queue-tokens',
  'GET /queue-tokens/me',
  'DELETE /queue-tokens/me',
  'GET /queue-tokens/me/events',
  'GET /concerts',
  'GET /concerts/{id}',
  'GET /concerts/{id}/overview',
  'GET /concerts/{id}/schedules',
  'GET /schedules/{id}/seats',
  'GET /schedules/{id}/seats/events',
  'GET /schedules/{id}/chart',
  'GET /schedules/{id}/state',
  'POST /reservations',
  'POST /reservations/best',
  'GET /reservations',
  'GET /reservations/{id}',
  'DELETE /reservations/{id}',
  'GET /wallet',
  'POST /wallet/charges',
  'GET /wallet/entries',
  'POST /payments',
  'GET /payments',
  'GET /payments/{id}',
  'POST /operator/concerts',
  'GET /operator/schedules/{id}/chart',
  'GET /operator/schedules/{id}/state',
  'PATCH /operator/concerts/{id}',
  'PATCH /operator/concerts/{id}/waiting-room',
  'GET /operator/concerts/{id}/stats',
  'GET /operator/concerts/{id}/reservations',
  'GET /operator/concerts/{id}/payments',
];

describe('openapi.json', () => {
  const [database] = DATABASES;
  if (!database) throw new Error('no database to test with');
  const foyer = useFoyer(database);
  const served = async (): Promise<string> => (await fetch(`${foyer.url}/openapi.json`)).text();

  it('is what the server serves (npm run openapi updates it)', async () => {
    expect(JSON.parse(readFileSync(COMMITTED, 'utf8'))).toEqual(JSON.parse(await served()));
  });

  it('has every operation of the contract', async () => {
    const { paths } = JSON.parse(await served());
    const operations = Object.entries<Record<string, unknown>>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace('/api/v1', '')}`),
    );
    expect(operations).toEqual(expect.arrayContaining(CONTRACT));
  });
});
