import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { patchRoom, poll } from '../support/booking.js';
import { createClient } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { useOwnFoyer } from '../support/foyer.js';
import { eventually, type Fan, join, openSale, type Sale, signUpFan, signUpFans } from '../support/sale.js';
import { expectDenied } from '../support/shapes.js';
import { listen, seatsOf, statsOf } from '../support/steps.js';

const SETTINGS = { maxActive: 1, activeSeconds: 600, idleSeconds: null, showUpSeconds: 1 };

for (const database of DATABASES) {
  describe(`a sale with no-shows on ${database.name}`, () => {
    const foyer = useOwnFoyer(database);
    const open = (policy: object): Promise<Sale> =>
      openSale(foyer.client, foyer.operator, { policy: { ...SETTINGS, ...policy } });
    const joinSale = async (sale: Sale, fan?: Fan): Promise<string> =>
      (await join(foyer.client, fan ?? (await signUpFan(foyer.client)), sale)).body.token;
    const stats = (sale: Sale): Promise<Record<string, number>> =>
      statsOf(foyer.client, foyer.operator, sale);

    it('gives the slot of a fan who makes no request after the admission to the next fan', async () => {
      const sale = await open({});
      const absent = await joinSale(sale);
      const next = await joinSale(sale);
      await eventually(
        () => poll(foyer.client, next),
        ({ body }) => body.status === 'ACTIVE',
      );
      expect((await poll(foyer.client, absent)).body).toMatchObject({ status: 'EXPIRED', rank: 0 });
      const seats = await foyer.client.get(`/schedules/${sale.scheduleIds[0]!}/seats`, absent);
      expectDenied(seats, 403, 'EXPIRED');
      expect(await seatsOf(foyer.client, next, sale)).not.toEqual([]);
    });

    it('fills the slots of no-shows without any request', async () => {
      const sale = await open({});
      for (const fan of await signUpFans(foyer.client, 3)) await joinSale(sale, fan);
      await eventually(
        () => stats(sale),
        ({ expired, waiting }) => expired === 3 && waiting === 0,
      );
    });

    it.each(['a poll', 'a request with the access token'])(
      'keeps the place of a fan after %s on any process',
      async (kind) => {
        const sale = await open({ maxActive: null, showUpSeconds: 2 });
        const fans = await signUpFans(foyer.client, foyer.urls.length);
        const tokens: string[] = [];
        for (const fan of fans) tokens.push(await joinSale(sale, fan));
        // Each fan shows up on one process, and the others must learn it before they expire the place.
        for (const [index, url] of foyer.urls.entries()) {
          const client = createClient(url);
          if (kind === 'a poll') await poll(client, tokens[index]!);
          else await client.get('/wallet', fans[index]!.accessToken);
        }
        await sleep(3500);
        expect(await stats(sale)).toMatchObject({ active: fans.length, expired: 0 });
        for (const token of tokens) expect((await poll(foyer.client, token)).body.status).toBe('ACTIVE');
      },
    );

    it('does not count an open event stream as showing up', async () => {
      const sale = await open({});
      await joinSale(sale);
      const stream = await listen(foyer.url, await joinSale(sale));
      expect(await stream.next('admitted')).toMatchObject({ data: { status: 'ACTIVE' } });
      expect(await stream.next('expired')).toMatchObject({ data: { status: 'EXPIRED' } });
    });

    it('counts a shorter time from the moment it is set', async () => {
      const sale = await open({ showUpSeconds: null });
      const fan = await signUpFan(foyer.client);
      await joinSale(sale, fan);
      await sleep(5000);
      await patchRoom(foyer.client, foyer.operator, sale, { showUpSeconds: 4 });
      expect(await stats(sale)).toMatchObject({ active: 1, expired: 0 });
      await eventually(
        () => stats(sale),
        ({ expired }) => expired === 1,
      );
    });

    it('keeps who has shown up over a restart, and still expires who has not', async () => {
      const sale = await open({ maxActive: null, showUpSeconds: 4 });
      const present = await joinSale(sale);
      await joinSale(sale);
      await sleep(10);
      await poll(foyer.client, present);
      await foyer.stop();
      await foyer.restart();
      await eventually(
        () => stats(sale),
        ({ expired }) => expired === 1,
      );
      expect(await stats(sale)).toMatchObject({ active: 1 });
      expect((await poll(foyer.client, present)).body.status).toBe('ACTIVE');
    });

    if (database.processes === 1)
      it('does not count the time without a server', async () => {
        const sale = await open({ maxActive: null, showUpSeconds: 3 });
        const [late, absent] = [await joinSale(sale), await joinSale(sale)];
        await foyer.kill();
        await sleep(3500);
        await foyer.restart();
        expect((await poll(foyer.client, late)).body.status).toBe('ACTIVE');
        await eventually(
          () => stats(sale),
          ({ expired }) => expired === 1,
        );
        expect((await poll(foyer.client, absent)).body.status).toBe('EXPIRED');
      });
  });
}
