import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Cluster, startCluster } from '../support/cluster/cluster.js';
import { insertFans } from '../support/cluster/insert-fans.js';
import { expectConsistentTables } from '../support/cluster/tables.js';
import type { Answer } from '../support/client.js';
import { type PostgresServer, psql, startPgBouncer, startPostgres } from '../support/postgres/index.js';
import { eventually, newKey, openSale, PRICE, type Sale, signUpFans } from '../support/sale.js';

const FANS = 24;
const POLICY = { maxActive: 6 };
const HALL = [{ name: 'A', rows: 4, seatsPerRow: 10, grade: 'R', price: PRICE }];

let postgres: PostgresServer;

beforeAll(async () => {
  postgres = await startPostgres();
}, 300_000);

afterAll(() => postgres.stop());

function expectAnswer(answer: Answer, ...statuses: number[]): Answer['body'] {
  expect(statuses, answer.text).toContain(answer.status);
  return answer.body;
}

/** Buys one seat, from joining the queue to the receipt, with each request at another process. Returns the receipt. */
async function buySeat({ client }: Cluster, accessToken: string, sale: Sale, choice: number) {
  const { concertId } = sale;
  const joined = await client.post(`/concerts/${concertId}/queue-tokens`, accessToken);
  const { token } = expectAnswer(joined, 201);
  await eventually(
    async () => expectAnswer(await client.get('/queue-tokens/me', token), 200).status,
    (status) => status === 'ACTIVE',
  );
  const dates = expectAnswer(await client.get(`/concerts/${concertId}/schedules`, token), 200).items;
  const scheduleId: string = dates[0].id;
  const seats = expectAnswer(await client.get(`/schedules/${scheduleId}/seats`, token), 200).items;
  const wanted = { scheduleId, seatIds: [seats[choice].id] };
  const held = expectAnswer(await client.post('/reservations', token, wanted, newKey()), 201);
  expectAnswer(await client.post('/wallet/charges', accessToken, { amount: PRICE }, newKey()), 201);
  const receipt = expectAnswer(
    await client.post('/payments', token, { reservationId: held.id }, newKey()),
    201,
  );
  expect(expectAnswer(await client.get(`/payments/${receipt.id}`, accessToken), 200)).toEqual(receipt);
  expect(expectAnswer(await client.get('/wallet', accessToken), 200).balance).toBe(0);
  return receipt;
}

describe('three processes behind PgBouncer in transaction mode', () => {
  it.each([
    ['without options in the URL', ''],
    ['with prepare=off in the URL', '?prepare=off'],
  ])('sell a seat to every fan %s', { timeout: 60_000 }, async (_, option) => {
    const database = await postgres.createDatabase();
    const pooler = await startPgBouncer(database);
    onTestFinished(() => pooler.stop());
    const cluster = await startCluster(`${pooler.url}${option}`);
    onTestFinished(() => cluster.kill());
    const sale = await openSale(cluster.client, cluster.operator, { policy: POLICY, sections: HALL });
    const fans = [...(await signUpFans(cluster.client, 3)), ...(await insertFans(database, FANS - 3))];
    const receipts = await Promise.all(
      fans.map(({ accessToken }, choice) => buySeat(cluster, accessToken, sale, choice)),
    );
    expect(new Set(receipts.map(({ number }) => number)).size).toBe(FANS);
    expect(await psql(database, `SELECT count(*) FROM seats WHERE status = 'SOLD'`)).toBe(String(FANS));
    await expectConsistentTables(database);
    expect(cluster.output()).not.toMatch(/"level":[56]0/);
  });
});
