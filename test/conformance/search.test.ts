import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Booking, enterSale, holdSeats } from '../support/booking.js';
import type { Answer } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { useOwnFoyer } from '../support/foyer.js';
import { joinActive, openSale, pay, PRICE, type Sale } from '../support/sale.js';
import { expectList, expectProblem } from '../support/shapes.js';
import { charge } from '../support/steps.js';

const SECTIONS = [{ name: '100%_A', rows: 1, seatsPerRow: 12, grade: 'label', price: PRICE }];

for (const database of DATABASES) {
  describe(`searching reservations and payments on ${database.name}`, () => {
    const foyer = useOwnFoyer(database);

    const search = (sale: Sale, list: string, q: string, accept = 'application/json'): Promise<Answer> =>
      foyer.client.call('GET', `/operator/concerts/${sale.concertId}/${list}?q=${encodeURIComponent(q)}`, {
        token: foyer.operator,
        headers: { accept },
      });
    const searchNames = async (sale: Sale, list: string, q: string): Promise<string[]> =>
      expectList<{ user: { name: string } }>(await search(sale, list, q))
        .map(({ user }) => user.name)
        .sort();

    async function enterAs(sale: Sale, name: string, email: string): Promise<Booking> {
      const { client } = foyer;
      const { body } = await client.post('/users', undefined, { email, password: 'fan-password', name });
      const fan = { id: body.user.id, email, accessToken: body.accessToken };
      await charge(client, fan.accessToken, 5 * PRICE);
      return { ...(await enterSale(client, sale)), fan, token: await joinActive(client, fan, sale) };
    }

    /** Two fans who have paid, and one who only holds seats. */
    async function sell() {
      const { client } = foyer;
      const sale = await openSale(client, foyer.operator, { sections: SECTIONS });
      const tag = randomUUID().slice(0, 8);
      const kim = await enterAs(sale, '김민지', `Minji.${tag}@fans.example`);
      const lee = await enterAs(sale, 'Lee_100%', `lee.${tag}@fans.example`);
      const han = await enterAs(sale, 'Han!', `han.${tag}@fans.example`);
      const receipt = (await pay(client, kim.token, (await holdSeats(client, kim, 0, 1)).id)).body;
      await pay(client, lee.token, (await holdSeats(client, lee, 2)).id);
      await holdSeats(client, han, 11);
      return { sale, tag, receipt };
    }

    it('matches any part of an e-mail address, a name, a seat label or a receipt number', async () => {
      const { sale, tag, receipt } = await sell();
      for (const [q, names] of [
        [`minji.${tag}@FANS`, ['김민지']],
        ['민지', ['김민지']],
        ['lEE', ['Lee_100%']],
        ['1-12', ['Han!']],
        ['a 1-3', ['Lee_100%']],
        [receipt.number, ['김민지']],
        [receipt.number.toLowerCase().slice(4), ['김민지']],
        [tag, ['Han!', 'Lee_100%', '김민지']],
        ['nobody', []],
      ] as const) {
        expect(await searchNames(sale, 'reservations', q), q).toEqual(names);
        expect(await searchNames(sale, 'payments', q), q).toEqual(names.filter((name) => name !== 'Han!'));
      }
    });

    it('treats wildcards and quotes literally, and searches no other fields', async () => {
      const { sale } = await sell();
      for (const [q, names] of [
        ['%', ['Han!', 'Lee_100%', '김민지']],
        ['_100%', ['Lee_100%']],
        ['e_1', ['Lee_100%']],
        ['n_', []],
        ['!', ['Han!']],
        ["'", []],
        ['"', []],
        ['\\', []],
        ['label', []],
        ['grade', []],
      ] as const)
        expect(await searchNames(sale, 'reservations', q), q).toEqual(names);
    });

    it('filters the CSV and the pages in the same way', async () => {
      const { sale, tag } = await sell();
      const csv = await search(sale, 'payments', '민지', 'text/csv');
      expect(csv.headers.get('content-type')).toMatch(/^text\/csv\b/);
      const lines = csv.text.trimEnd().split('\r\n');
      expect(lines).toHaveLength(2);
      expect(lines[1]).toContain('김민지');
      expect(
        (await search(sale, 'reservations', 'nobody', 'text/csv')).text.trimEnd().split('\r\n'),
      ).toHaveLength(1);
      const path = `/operator/concerts/${sale.concertId}/reservations?limit=2&q=${tag}`;
      const first = (await foyer.client.get(path, foyer.operator)).body;
      const rest = (await foyer.client.get(`${path}&cursor=${first.nextCursor as string}`, foyer.operator))
        .body;
      expect([first.items.length, rest.items.length, rest.nextCursor]).toEqual([2, 1, null]);
    });

    it('returns 400 for an empty query, a query that is too long, and control characters', async () => {
      const sale = await openSale(foyer.client, foyer.operator);
      for (const q of ['', 'x'.repeat(101), 'a\u0000b', 'a\nb'])
        expectProblem(await search(sale, 'reservations', q), 400, 'INVALID_REQUEST');
      expect(await searchNames(sale, 'reservations', 'x'.repeat(100))).toEqual([]);
    });
  });
}
