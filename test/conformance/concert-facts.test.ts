import { describe, expect, it } from 'vitest';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { eventually, hold, joinActive, openSale, PRICE, seatIds, signUpFan } from '../support/sale.js';

const RULES = [
  { daysBefore: 10, feePercent: 0 },
  { daysBefore: 1, feePercent: 30 },
  { daysBefore: 0, feePercent: 100 },
];
const NO_FACTS = { runningMinutes: null, minAge: null, refundRules: [] };
const FACTS = { runningMinutes: 120, minAge: 8, refundRules: RULES };

describe.each(DATABASES)('the facts of a concert, on $name', (database) => {
  const foyer = useFoyer(database);
  const edit = (id: string, body: object) =>
    foyer.client.call('PATCH', `/operator/concerts/${id}`, { token: foyer.operator, body });

  it('are stored, edited one by one, removed and copied', async () => {
    const { client, operator } = foyer;
    const { concertId } = await openSale(client, operator, { concert: FACTS });
    const read = async (id = concertId) => (await client.get(`/concerts/${id}`)).body;
    expect(await read()).toMatchObject(FACTS);
    expect((await client.get(`/operator/concerts/${concertId}`, operator)).body).toMatchObject(FACTS);

    expect((await edit(concertId, { minAge: 0 })).body).toMatchObject({ ...FACTS, minAge: 0 });
    const copy = await client.post(`/operator/concerts/${concertId}/duplicate`, operator, {});
    expect((await edit(concertId, NO_FACTS)).status).toBe(200);
    expect(await read()).toMatchObject(NO_FACTS);
    expect(await read(copy.body.id)).toMatchObject({ ...FACTS, minAge: 0 });
    const { items } = (await client.get(`/operator/concerts/${concertId}/audit`, operator)).body;
    expect(items[1].details).toEqual({ minAge: { from: 8, to: 0 } });
  });

  it('are unknown unless they are given', async () => {
    const { concertId } = await openSale(foyer.client, foyer.operator);
    expect((await foyer.client.get(`/concerts/${concertId}`)).body).toMatchObject(NO_FACTS);
  });

  it.each([
    ['no minutes', { runningMinutes: 0 }],
    ['more than a day', { runningMinutes: 1441 }],
    ['half a minute', { runningMinutes: 90.5 }],
    ['a negative age', { minAge: -1 }],
    ['an age of 100', { minAge: 100 }],
    ['a fee of more than the price', { refundRules: [{ daysBefore: 1, feePercent: 101 }] }],
    ['a rule without a fee', { refundRules: [{ daysBefore: 1 }] }],
    [
      'eleven rules',
      { refundRules: Array.from({ length: 11 }, (_, at) => ({ daysBefore: 20 - at, feePercent: at })) },
    ],
    ['rules in the wrong order', { refundRules: [...RULES].reverse() }],
    [
      'a day with two fees',
      {
        refundRules: [
          { daysBefore: 3, feePercent: 0 },
          { daysBefore: 3, feePercent: 10 },
        ],
      },
    ],
    [
      'a fee that falls',
      {
        refundRules: [
          { daysBefore: 3, feePercent: 20 },
          { daysBefore: 1, feePercent: 10 },
        ],
      },
    ],
  ])('are refused with %s', async (_what, facts) => {
    const { client, operator } = foyer;
    const { concertId } = await openSale(client, operator);
    expect(await edit(concertId, facts)).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
    const created = await client.post('/operator/concerts', operator, {
      title: 'T',
      venue: 'V',
      schedules: [
        {
          startsAt: '2099-01-01T10:00:00Z',
          sections: [{ name: 'A', rows: 1, seatsPerRow: 1, grade: 'R', price: 1 }],
        },
      ],
      ...facts,
    });
    expect(created.status).toBe(400);
  });
});

describe.each(DATABASES)('what a card says of a concert, on $name', (database) => {
  const foyer = useFoyer(database);

  it('is its first and last date and its lowest price', async () => {
    const sections = [
      { name: 'A', rows: 1, seatsPerRow: 2, grade: 'VIP', price: 3 * PRICE },
      { name: 'B', rows: 1, seatsPerRow: 2, grade: 'R', price: PRICE },
    ];
    const sale = await openSale(foyer.client, foyer.operator, { sections, dates: 3 });
    const { body } = await foyer.client.get(`/concerts/${sale.concertId}`);
    const { dates } = (await foyer.client.get(`/concerts/${sale.concertId}/overview`)).body;
    expect(body).toMatchObject({
      firstStartsAt: dates[0].startsAt,
      lastStartsAt: dates[2].startsAt,
      priceFrom: PRICE,
    });
    const listed = (await foyer.client.get('/concerts?limit=200')).body.items;
    expect(listed.find(({ id }: { id: string }) => id === sale.concertId)).toEqual(body);
  });
});

describe.each(DATABASES)('the seats left by grade, on $name', (database) => {
  const foyer = useFoyer(database);

  it('are counted on each date, before and after the seats are in memory', async () => {
    const { client, operator } = foyer;
    const sections = [
      { name: 'A', rows: 1, seatsPerRow: 3, grade: 'VIP', price: 3 * PRICE },
      { name: 'B', rows: 1, seatsPerRow: 4, grade: 'R', price: PRICE },
      { name: 'C', rows: 1, seatsPerRow: 5, grade: 'R', price: PRICE },
    ];
    const sale = await openSale(client, operator, { sections, dates: 2 });
    const token = await joinActive(client, await signUpFan(client), sale);
    const gradesOf = async () =>
      (await client.get(`/concerts/${sale.concertId}/schedules`, token)).body.items.map(
        ({ grades }: { grades: object[] }) => grades,
      );
    const vip = { grade: 'VIP', price: 3 * PRICE, seatsTotal: 3, seatsRemaining: 3 };
    const r = { grade: 'R', price: PRICE, seatsTotal: 9, seatsRemaining: 9 };
    expect(await gradesOf()).toEqual([
      [vip, r],
      [vip, r],
    ]);
    const seats = await seatIds(client, token, sale);
    expect((await hold(client, token, sale, [seats[0] ?? '', seats[4] ?? ''])).status).toBe(201);
    const wanted = JSON.stringify([
      { ...vip, seatsRemaining: 2 },
      { ...r, seatsRemaining: 8 },
    ]);
    // Every process is asked. One that has not loaded the seats may be two seconds behind.
    await Promise.all(
      foyer.urls.map(() => eventually(gradesOf, ([first]) => JSON.stringify(first) === wanted)),
    );
    expect((await gradesOf())[1]).toEqual([vip, r]);
  });
});
