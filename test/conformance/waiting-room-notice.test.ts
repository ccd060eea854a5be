import { describe, expect, it } from 'vitest';
import { patchRoom, poll } from '../support/booking.js';
import type { Answer } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { openSale, type Sale } from '../support/sale.js';
import { startLine } from '../support/steps.js';

for (const database of DATABASES) {
  describe(`the promoter's message to waiting fans, on ${database.name}`, () => {
    const foyer = useFoyer(database);
    const patch = (sale: Sale, policy: object): Promise<Answer> =>
      patchRoom(foyer.client, foyer.operator, sale, { ...policy });

    it('shows the notice in the public overview', async () => {
      const sale = await openSale(foyer.client, foyer.operator);
      const notice = async (): Promise<unknown> =>
        (await foyer.client.get(`/concerts/${sale.concertId}/overview`)).body.notice;
      expect(await notice()).toBeNull();
      await patch(sale, { notice: 'Doors open at eight.' });
      expect(await notice()).toBe('Doors open at eight.');
    });

    it.each([
      ['one text', 'x'.repeat(300)],
      ['a text in each language', { ko: '입장이 10분 늦어집니다.', en: 'Ten minutes late.\nSorry!' }],
      ['a text in one language', { en: 'Ten minutes late.' }],
    ])('accepts a notice as %s, shown to those who wait only', async (_, notice) => {
      const { sale, first: active, second: waiting } = await startLine(foyer, 2, { maxActive: 1 });
      expect((await poll(foyer.client, waiting)).body).toMatchObject({ notice: null, paused: false });
      expect(await patch(sale, { notice, paused: true })).toMatchObject({ status: 200, body: { notice } });
      expect((await poll(foyer.client, waiting)).body).toMatchObject({ notice, paused: true });
      expect((await poll(foyer.client, active)).body).toMatchObject({ notice: null, paused: false });
      const overview = await foyer.client.get(`/concerts/${sale.concertId}/overview`);
      expect(overview.body.notice).toEqual(notice);
      await patch(sale, { notice: null, paused: false });
      expect((await poll(foyer.client, waiting)).body).toMatchObject({ notice: null, paused: false });
    });
  });
}
