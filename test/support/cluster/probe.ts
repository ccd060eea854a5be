import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Client } from '../client.js';
import type { LoadFan } from '../acknowledged-writes.js';
import { newKey, openSale, PRICE, type Sale, seatIds } from '../sale.js';
import type { Cluster } from './cluster.js';
import { insertFans } from './insert-fans.js';

const RETRY_MS = 50;
const GIVE_UP_MS = 30_000;
const PROBES_MAX = 30;

/** Measures when processes serve again: in a sale without a queue, it buys one seat at each process. */
export interface Probe {
  /** Returns, for each process, how many ms it takes from now until a fan has joined, held a seat and paid there. */
  waitUntilServing(): Promise<number[]>;
}

export async function createProbe(databaseUrl: string, cluster: Cluster): Promise<Probe> {
  const { client, clients, operator } = cluster;
  const sale = await openSale(client, operator, {
    policy: { maxActive: null },
    sections: [{ name: 'P', rows: 10, seatsPerRow: PROBES_MAX, grade: 'R', price: PRICE }],
  });
  const fans = await insertFans(databaseUrl, PROBES_MAX * clients.length + 1);
  const first = await client.post(`/concerts/${sale.concertId}/queue-tokens`, fans.pop()?.accessToken);
  const seats = await seatIds(client, first.body.token, sale);
  return {
    async waitUntilServing() {
      const startedAtMs = performance.now();
      return Promise.all(
        clients.map(async (each) => {
          await buy(each, sale, fans.pop()!, seats.pop()!);
          return Math.round(performance.now() - startedAtMs);
        }),
      );
    },
  };
}

async function buy(
  client: Client,
  { concertId, scheduleIds }: Sale,
  fan: LoadFan,
  seat: string,
): Promise<void> {
  const place = await retryUntilSuccess(() =>
    client.post(`/concerts/${concertId}/queue-tokens`, fan.accessToken),
  );
  const postWithKey = (path: string, token: string, body: unknown): Promise<Answer> => {
    const key = newKey();
    return retryUntilSuccess(() => client.post(path, token, body, key));
  };
  const { token } = place.body as { token: string };
  const held = await postWithKey('/reservations', token, { scheduleId: scheduleIds[0], seatIds: [seat] });
  await postWithKey('/wallet/charges', fan.accessToken, { amount: PRICE });
  await postWithKey('/payments', token, { reservationId: held.body.id });
}

/** Repeats a request at the same process until it succeeds. */
async function retryUntilSuccess(send: () => Promise<Answer>): Promise<Answer> {
  const giveUpAtMs = performance.now() + GIVE_UP_MS;
  let last = '';
  while (performance.now() < giveUpAtMs) {
    try {
      const answer = await send();
      if (answer.status === 200 || answer.status === 201) return answer;
      last = answer.text;
    } catch (error) {
      last = String(error);
    }
    await sleep(RETRY_MS);
  }
  throw new Error(`no success within ${GIVE_UP_MS} ms; the last result was ${last}`);
}
