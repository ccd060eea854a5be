import { describe, expect, it, onTestFinished } from 'vitest';
import { poll } from '../support/booking.js';
import { useCluster } from '../support/race/cluster.js';
import { eventually, join, openSale, type Sale } from '../support/sale.js';
import { statsOf } from '../support/steps.js';

const POLLS = 30;

describe('a queue whose row is locked for seconds', () => {
  const foyer = useCluster();

  /** Opens a sale with one slot and three fans. The slot is free again after a second. */
  async function openExpiringSale(): Promise<{ sale: Sale; waiting: string[] }> {
    const { client, operator } = foyer;
    const policy = { maxActive: 1, activeSeconds: 1, idleSeconds: null };
    const sale = await openSale(client, operator, { policy });
    const tokens: string[] = [];
    for (const fan of await foyer.createFans(3)) tokens.push((await join(client, fan, sale)).body.token);
    return { sale, waiting: tokens.slice(1) };
  }

  async function lockQueue({ concertId }: Sale): Promise<() => Promise<void>> {
    let isLocked = true;
    const release = await foyer.lockRows('SELECT FROM queues WHERE concert_id = $1 FOR UPDATE', [concertId]);
    const unlock = async (): Promise<void> => {
      if (isLocked) await release();
      isLocked = false;
    };
    onTestFinished(unlock);
    return unlock;
  }

  it('answers every poll from memory while the lock is held, and admits afterwards', async () => {
    const { client, operator } = foyer;
    const { sale, waiting } = await openExpiringSale();
    const unlock = await lockQueue(sale);
    await eventually(
      () => statsOf(client, operator, sale),
      ({ expired }) => expired === 1,
    );
    // Every process gets several polls of both: the fan whom the free slot is for, and the one behind.
    for (let count = 0; count < POLLS; count += 1) {
      const polls = await Promise.all(waiting.map((token) => poll(client, token)));
      expect(polls.map(({ status, body }) => [status, body.status, body.rank])).toEqual([
        [200, 'WAITING', 1],
        [200, 'WAITING', 2],
      ]);
    }
    await unlock();
    await eventually(
      () => poll(client, waiting[0]!),
      ({ body }) => body.status !== 'WAITING',
    );
  });

  it('delays no admission in the other queues', async () => {
    const { client, operator } = foyer;
    // Loops over the queues reach the locked ones first.
    for (let count = 0; count < 5; count += 1) await lockQueue((await openExpiringSale()).sale);
    const { sale } = await openExpiringSale();
    // Without a poll: only the background job can admit.
    await eventually(
      () => statsOf(client, operator, sale),
      ({ waiting }) => waiting === 0,
    );
  });
});
