import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { enterSale, holdSeats } from '../support/booking.js';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { openSale, PRICE } from '../support/sale.js';
import { expectList, expectProblem } from '../support/shapes.js';

const PAGE_SEATS = 2000;
const SEATS = 4100;
const SECTIONS = [
  { name: 'A', rows: 40, seatsPerRow: 100, grade: 'R', price: PRICE },
  { name: 'B', rows: 1, seatsPerRow: 100, grade: 'S', price: PRICE },
];

interface SeatItem {
  readonly id: string;
  readonly label: string;
  readonly status: string;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
}

/** The paths of all lists, from the API description. */
const listPaths = Object.entries(
  (
    JSON.parse(readFileSync('openapi.json', 'utf8')) as {
      paths: Record<string, Record<string, Operation>>;
    }
  ).paths,
).flatMap(([path, { get }]) =>
  get?.parameters?.some(({ name }) => name === 'limit') ? [path.replace('/api/v1', '')] : [],
);

for (const database of DATABASES) {
  describe(`long lists on ${database.name}`, () => {
    const foyer = useFoyer(database);

    it.each(listPaths)('GET %s refuses a limit above 200', async (path) => {
      const url = path.replace(/\{\w+\}/g, crypto.randomUUID());
      expectProblem(await foyer.client.get(`${url}?limit=201`, foyer.operator), 400, 'INVALID_REQUEST');
      const allowed = await foyer.client.get(`${url}?limit=200`, foyer.operator);
      expect(allowed.status, allowed.text).not.toBe(400);
    });

    it('pages through the seats of a large date, 2,000 at a time', async () => {
      const sale = await openSale(foyer.client, foyer.operator, { sections: SECTIONS });
      const booking = await enterSale(foyer.client, sale);
      const path = `/schedules/${booking.scheduleId}/seats`;

      async function readPages(query = ''): Promise<SeatItem[][]> {
        const pages: SeatItem[][] = [];
        for (let cursor: string | null = ''; cursor !== null;) {
          const parameters = [query, cursor && `cursor=${cursor}`].filter(Boolean).join('&');
          const answer = await foyer.client.get(`${path}?${parameters}`, booking.token);
          pages.push(expectList<SeatItem>(answer));
          cursor = answer.body.nextCursor as string | null;
        }
        return pages;
      }

      const pages = await readPages();
      expect(pages.map(({ length }) => length)).toEqual([PAGE_SEATS, PAGE_SEATS, SEATS - 2 * PAGE_SEATS]);
      const seats = pages.flat();
      expect(new Set(seats.map(({ label }) => label)).size).toBe(SEATS);
      expect(seats.every(({ status }) => status === 'AVAILABLE')).toBe(true);
      expect((await readPages('limit=200')).flat(), 'in the same order with a limit').toEqual(seats);

      const taken = [1999, 2000, 2049, 4099];
      await holdSeats(foyer.client, { ...booking, seats: seats.map(({ id }) => id) }, ...taken);
      const expected = seats.map((seat, index) =>
        taken.includes(index) ? { ...seat, status: 'HELD' } : seat,
      );
      expect((await readPages()).flat()).toEqual(expected);
      expect((await readPages('status=HELD')).flat()).toEqual(taken.map((index) => expected[index]));
      const available = await readPages('status=AVAILABLE');
      expect(available.map(({ length }) => length)).toEqual([PAGE_SEATS, PAGE_SEATS, 96]);
      expect(available.flat()).toEqual(expected.filter(({ status }) => status === 'AVAILABLE'));
      const unaligned = await foyer.client.get(`${path}?limit=3`, booking.token);
      const rest = await foyer.client.get(
        `${path}?cursor=${unaligned.body.nextCursor as string}`,
        booking.token,
      );
      expect(expectList(rest), 'a page may start anywhere').toEqual(expected.slice(3, 3 + PAGE_SEATS));
    });
  });
}
