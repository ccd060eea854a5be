import { describe, expect, it } from 'vitest';
import { dateOf, enterSale } from '../support/booking.js';
import type { Answer } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { signUpFan } from '../support/sale.js';
import { expectList, expectProblem } from '../support/shapes.js';

const STARTS_AT = '2099-11-15T09:00:00.000Z';
/** A seat as a seating-plan editor exports it: adjacent seats are 25 units apart. */
const seat = (seat_number: string, x: number, category = 'R', more: object = {}) => ({
  seat_number,
  seat_guid: `${category}-${seat_number}-${x}`,
  position: { x, y: 0 },
  category,
  ...more,
});
const PLAN = {
  name: 'A club',
  size: { width: 800, height: 600 },
  categories: [
    { name: 'VIP', color: '#f00' },
    { name: 'R', color: '#00f' },
  ],
  zones: [
    {
      name: '플로어',
      zone_id: 'ground',
      position: { x: 100, y: 200 },
      rows: [
        { row_number: 'A', position: { x: 0, y: 0 }, seats: [seat('1', 0, 'VIP'), seat('2', 25, 'VIP')] },
        {
          row_number: 'B',
          position: { x: 0, y: 30 },
          seats: [seat('12A', 0), seat('12B', 25), seat('7', 100)],
        },
      ],
      areas: [{ shape: 'rectangle', text: { text: 'Bar' } }],
    },
    {
      name: 'Balcony',
      rows: [{ row_number: '1', seats: [seat('1', 125, 'R', { position: { x: 125, y: 350 } })] }],
    },
  ],
};
const PRICES = { VIP: 150_000, R: 90_000 };

for (const database of DATABASES) {
  describe(`an imported seating plan on ${database.name}`, () => {
    const foyer = useFoyer(database);

    const create = (date: object, token = foyer.operator): Promise<Answer> =>
      foyer.client.post('/operator/concerts', token, {
        title: 'T',
        venue: 'V',
        schedules: [{ startsAt: STARTS_AT, ...date }],
      });

    async function openPlan() {
      const { status, text, body } = await create({ plan: PLAN, prices: PRICES });
      expect(status, text).toBe(201);
      expect(body.schedules).toMatchObject([{ seatsTotal: 6 }]);
      return enterSale(foyer.client, {
        concertId: body.id,
        scheduleIds: body.schedules.map(({ id }: { id: string }) => id),
      });
    }

    it('creates seats with the names of the plan and the prices of its categories', async () => {
      const { sale, token } = await openPlan();
      const seats = expectList(await foyer.client.get(`/schedules/${dateOf(sale)}/seats`, token));
      expect(seats.map(({ id: _, status: __, ...rest }) => Object.values(rest))).toEqual([
        ['플로어', 'A', 1, '플로어 A-1', 'VIP', 150_000],
        ['플로어', 'A', 2, '플로어 A-2', 'VIP', 150_000],
        ['플로어', 'B', 1, '플로어 B-12A', 'R', 90_000],
        ['플로어', 'B', 2, '플로어 B-12B', 'R', 90_000],
        ['플로어', 'B', 7, '플로어 B-7', 'R', 90_000],
        ['Balcony', '1', 1, 'Balcony 1-1', 'R', 90_000],
      ]);
    });

    it('keeps the position of every seat, scaled so that adjacent seats are 1 apart', async () => {
      const { sale, token } = await openPlan();
      const { body } = await foyer.client.get(`/schedules/${dateOf(sale)}/chart`, token);
      expect(body.seats.number).toEqual(['1', '2', '12A', '12B', '7', '1']);
      const from = (values: number[]) => values.map((value) => value - values[0]!);
      expect(from(body.seats.x)).toEqual([0, 1, 0, 1, 4, 1].map((x) => expect.closeTo(x)));
      expect(from(body.seats.y)).toEqual([0, 0, 1.2, 1.2, 1.2, 6].map((y) => expect.closeTo(y)));
      expect(body.sections.map(({ name }: { name: string }) => name)).toEqual(['플로어', 'Balcony']);
      expect(body.rows).toEqual([
        { section: 0, name: 'A' },
        { section: 0, name: 'B' },
        { section: 1, name: '1' },
      ]);
    });

    it('offers only adjacent seats as best seats', async () => {
      const booking = await openPlan();
      const request = { scheduleId: dateOf(booking.sale), count: 2, grade: 'R' };
      const { body } = await foyer.client.post('/reservations/best', booking.token, request);
      expect(body.seats.map(({ label }: { label: string }) => label)).toEqual([
        '플로어 B-12A',
        '플로어 B-12B',
      ]);
      const answer = await foyer.client.post('/reservations/best', booking.token, request);
      expectProblem(answer, 409, 'NO_SEATS_TOGETHER');
    });

    const [floor, balcony] = PLAN.zones;
    const withRow = (...seats: object[]) => ({
      ...PLAN,
      zones: [{ ...balcony, rows: [{ row_number: '1', seats }] }],
    });
    const SEATS = 'schedules/0/plan/zones/0/rows/0/seats';
    it.each([
      ['sections as well', { plan: PLAN, prices: PRICES, sections: [] }, undefined],
      ['no prices', { plan: PLAN }, 'schedules/0/prices'],
      ['prices and no plan', { prices: PRICES }, 'schedules/0/sections'],
      ['neither plan nor sections', {}, 'schedules/0/sections'],
      ['a category without a price', { plan: PLAN, prices: { VIP: 1 } }, 'schedules/0/prices'],
      ['a price without a category', { plan: PLAN, prices: { ...PRICES, S: 1 } }, 'schedules/0/prices'],
      ['a price below zero', { plan: PLAN, prices: { ...PRICES, R: -1 } }, undefined],
      ['a price that is a string', { plan: PLAN, prices: { ...PRICES, R: '90000' } }, undefined],
      [
        'a category twice',
        { plan: { ...PLAN, categories: [...PLAN.categories, { name: 'R' }] }, prices: PRICES },
        'schedules/0/plan/categories/2/name',
      ],
      [
        'a seat with an unknown category',
        { plan: withRow(seat('1', 0, 'S')), prices: PRICES },
        `${SEATS}/0/category`,
      ],
      [
        'a seat without a category',
        { plan: withRow({ ...seat('1', 0), category: undefined }), prices: PRICES },
        undefined,
      ],
      [
        'a seat without a position',
        { plan: withRow({ ...seat('1', 0), position: undefined }), prices: PRICES },
        undefined,
      ],
      [
        'a position that is a string',
        { plan: withRow({ ...seat('1', 0), position: { x: '1', y: 0 } }), prices: PRICES },
        undefined,
      ],
      [
        'a seat twice',
        { plan: withRow(seat('1', 0), seat('1', 25)), prices: PRICES },
        `${SEATS}/1/seat_number`,
      ],
      [
        'one guid twice',
        { plan: withRow(seat('1', 0), seat('2', 25, 'R', { seat_guid: 'R-1-0' })), prices: PRICES },
        `${SEATS}/1/seat_guid`,
      ],
      [
        'two seats at one position',
        {
          plan: withRow(seat('1', 0), seat('2', 25), seat('3', 25, 'R', { seat_guid: 'x' })),
          prices: PRICES,
        },
        `${SEATS}/2/position`,
      ],
      ['no seats', { plan: withRow(), prices: PRICES }, 'schedules/0/plan/zones'],
      ['no zones', { plan: { ...PLAN, zones: [] }, prices: PRICES }, undefined],
      [
        'a zone without a name',
        { plan: { ...PLAN, zones: [{ ...floor, name: '' }] }, prices: PRICES },
        undefined,
      ],
      ['a plan that is not an object', { plan: [], prices: PRICES }, undefined],
    ])('returns 400 with %s', async (_what, date, field) => {
      const answer = await create(date);
      expectProblem(answer, 400, 'INVALID_REQUEST', field === undefined ? {} : { field });
      expect(answer.body.detail).toMatch(/schedules\/0/);
    });

    it('may have 30,000 seats for an operator, and returns 403 for a fan', async () => {
      const rows = Array.from({ length: 300 }, (_, row) => ({
        row_number: String(row),
        position: { x: 0, y: row * 30 },
        seats: Array.from({ length: 100 }, (__, number) => ({
          ...seat(String(number), number * 25),
          seat_guid: `${row}-${number}-${'x'.repeat(80)}`,
        })),
      }));
      const date = { plan: { ...PLAN, zones: [{ name: 'A', rows }] }, prices: PRICES };
      expect(JSON.stringify(date).length).toBeGreaterThan(4 * 1024 * 1024);
      const answer = await create(date);
      expect(answer.body.schedules, answer.text).toMatchObject([{ seatsTotal: 30_000 }]);
      const fan = await signUpFan(foyer.client);
      expectProblem(await create(date, fan.accessToken), 403, 'FORBIDDEN');
    });
  });
}
