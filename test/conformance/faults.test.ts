import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { openSale } from '../support/sale.js';
import { expectProblem } from '../support/shapes.js';

const SECTION = { name: 'A', rows: 2, seatsPerRow: 3, grade: 'R', price: 1000 };
const STARTS_AT = '2099-11-15T09:00:00.000Z';
const CONCERT = { title: 'T', venue: 'V', schedules: [{ startsAt: STARTS_AT, sections: [SECTION] }] };

for (const database of DATABASES) {
  describe(`a refused request body on ${database.name}`, () => {
    const foyer = useFoyer(database);

    function expectFaults(answer: Answer, ...paths: readonly string[]): void {
      expectProblem(answer, 400, 'INVALID_REQUEST');
      const faults = answer.body.faults as { path: string; rule: string }[];
      expect(faults.map(({ path }) => path).sort(), answer.text).toEqual([...paths].sort());
      expect(answer.body.errors).toEqual(faults.map(({ path, rule }) => `body${path} ${rule}`));
    }
    const create = (body: object): Promise<Answer> =>
      foyer.client.post('/operator/concerts', foyer.operator, { ...CONCERT, ...body });
    const patch = (path: string, body: object): Promise<Answer> =>
      foyer.client.call('PATCH', `/operator/concerts/${path}`, { token: foyer.operator, body });

    it('lists every fault', async () => {
      const body = { email: 7, name: '', admin: true };
      expectFaults(await foyer.client.post('/users', undefined, body), '', '/email', '/name', '/password');
    });

    it('lists at most 100 faults, also of many unknown members', async () => {
      const members = Array.from({ length: 150 }, (_, index) => [`m${index}`, 1]);
      const answer = await create(Object.fromEntries(members));
      expect(answer.body.faults).toHaveLength(100);
    });

    it('lists every unknown member of a nested object', async () => {
      expectFaults(await create({ waitingRoom: { a: 1, b: 2 } }), '/waitingRoom', '/waitingRoom');
    });

    it('lists faults with paths into dates, sections and the policy', async () => {
      const sections = [SECTION, { ...SECTION, rows: 0, price: '1000' }];
      expectFaults(
        await create({
          title: '',
          waitingRoom: { holdSeconds: 0, maxActive: -1, consumeOn: 'NEVER' },
          schedules: [{ startsAt: 'tomorrow', sections }, { startsAt: STARTS_AT }],
        }),
        '/title',
        '/waitingRoom/holdSeconds',
        '/waitingRoom/maxActive',
        '/waitingRoom/consumeOn',
        '/schedules/0/startsAt',
        '/schedules/0/sections/1/rows',
        '/schedules/0/sections/1/price',
      );
    });

    it('lists every fault that no schema can describe', async () => {
      const plan = { categories: [{ name: 'R' }], zones: [{ name: 'A', rows: [] }] };
      expectFaults(
        await create({
          currency: 'USD',
          timeZone: 'Mars/Base',
          salesOpenAt: '2099-02-30T09:00:00.000Z',
          waitingRoom: { admitCount: 10 },
          schedules: [
            { startsAt: '2099-02-31T09:00:00.000Z', sections: [SECTION] },
            { startsAt: STARTS_AT },
            { startsAt: STARTS_AT, plan },
            { startsAt: STARTS_AT, sections: Array(3).fill({ ...SECTION, rows: 500, seatsPerRow: 500 }) },
          ],
        }),
        '/currency',
        '/timeZone',
        '/salesOpenAt',
        '/waitingRoom/admitCount',
        '/waitingRoom/admitEverySeconds',
        '/schedules',
        '/schedules/0/startsAt',
        '/schedules/1/sections',
        '/schedules/2/prices',
        '/schedules/3/sections',
      );
    });

    it('lists every fault of a seating plan', async () => {
      const seat = (number: string, x: number, category = 'R') => ({
        seat_number: number,
        position: { x, y: 0 },
        category,
      });
      const seats = [seat('1', 0), seat('1', 1), seat('2', 0), seat('3', 2, 'Gold')];
      const plan = {
        categories: [{ name: 'R' }, { name: 'R' }],
        zones: [{ name: 'A', rows: [{ row_number: '1', seats }] }],
      };
      const path = '/schedules/0/plan';
      expectFaults(
        await create({ schedules: [{ startsAt: STARTS_AT, plan, prices: { S: 1 } }] }),
        '/schedules/0/prices',
        '/schedules/0/prices',
        `${path}/categories/1/name`,
        `${path}/zones/0/rows/0/seats/1/seat_number`,
        `${path}/zones/0/rows/0/seats/2/position`,
        `${path}/zones/0/rows/0/seats/3/category`,
      );
    });

    it('lists every fault of an edit, a copy and a policy', async () => {
      const { concertId } = await openSale(foyer.client, foyer.operator);
      const times = { salesOpenAt: '2099-02-30T09:00:00.000Z', salesCloseAt: '2099-04-31T09:00:00.000Z' };
      expectFaults(
        await patch(concertId, { ...times, timeZone: 'Mars/Base' }),
        '/salesOpenAt',
        '/salesCloseAt',
        '/timeZone',
      );
      expectFaults(
        await patch(concertId, { salesOpenAt: STARTS_AT, salesCloseAt: STARTS_AT }),
        '/salesCloseAt',
      );
      const copy = await foyer.client.post(
        `/operator/concerts/${concertId}/duplicate`,
        foyer.operator,
        times,
      );
      expectFaults(copy, '/salesOpenAt', '/salesCloseAt');
      expectFaults(
        await patch(`${concertId}/waiting-room`, { admitCount: 5 }),
        '/admitCount',
        '/admitEverySeconds',
      );
      expectFaults(
        await patch(`${concertId}/waiting-room`, { holdSeconds: 0.5, paused: 'yes' }),
        '/holdSeconds',
        '/paused',
      );
    });
  });
}
