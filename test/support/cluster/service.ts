import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Client } from '../client.js';
import type { LoadFan } from '../acknowledged-writes.js';
import { newKey, openSale, PRICE, type Sale, seatIds } from '../sale.js';
import type { Cluster } from './cluster.js';
import { addFans } from './fans.js';

const LOOK_EVERY_MS = 50;
const GIVE_UP_MS = 30_000;
const LOOKS_MAX = 30;

/** Knows when a process serves: a sale without a line, from which each look buys one seat. */
export interface Probe {
  /** How long from now until somebody has joined, held a seat and paid for it at each of the processes. */
  untilServing(): Promise<number[]>;
}

export async function createProbe(databaseUrl: string, cluster: Cluster): Promise<Probe> {
  const { client, clients, operator } = cluster;
  const sale = await openSale(client, operator, {
    policy: { maxActive: null },
    sections: [{ name: 'P', rows: 10, seatsPerRow: LOOKS_MAX, grade: 'R', price: PRICE }],
  });
  const fans = await addFans(databaseUrl, LOOKS_MAX * clients.length + 1);
  const first = await client.post(`/concerts/${sale.concertId}/queue-tokens`, fans.pop()?.accessToken);
  const seats = await seatIds(client, first.body.token, sale);
  return {
    async untilServing() {
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
  const place = await insistently(() => client.post(`/concerts/${concertId}/queue-tokens`, fan.accessToken));
  const keyed = (path: string, token: string, body: unknown): Promise<Answer> => {
    const key = newKey();
    return insistently(() => client.post(path, token, body, key));
  };
  const { token } = place.body as { token: string };
  const held = await keyed('/reservations', token, { scheduleId: scheduleIds[0], seatIds: [seat] });
  await keyed('/wallet/charges', fan.accessToken, { amount: PRICE });
  await keyed('/payments', token, { reservationId: held.body.id });
}

/** At this one process, until it does it. */
async function insistently(send: () => Promise<Answer>): Promise<Answer> {
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
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error(`no service within ${GIVE_UP_MS} ms; the last word was ${last}`);
}
