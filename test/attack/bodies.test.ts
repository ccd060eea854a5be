import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operations } from '../support/attack/operations.js';
import { startBooking } from '../support/booking.js';
import { sqlite } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { PRICE, signUpFan } from '../support/sale.js';
import { expectProblem } from '../support/shapes.js';
import { balanceOf, charge } from '../support/steps.js';

const OPERATIONS_WITH_BODY = operations().filter(({ body }) => body !== undefined);
const NESTING_DEPTH = 15_000;

const nestInArrays = (inside: string): string =>
  `${'['.repeat(NESTING_DEPTH)}${inside}${']'.repeat(NESTING_DEPTH)}`;
const nestInObjects = (inside: string): string =>
  `${'{"a":'.repeat(NESTING_DEPTH / 2)}${inside}${'}'.repeat(NESTING_DEPTH / 2)}`;

/** The body with one more member in front. Built as text, because `JSON.stringify` would drop some of these members. */
const withMember = (body: unknown, member: string): string => `{${member},${JSON.stringify(body).slice(1)}`;

describe('a hostile body', () => {
  const foyer = useFoyer(sqlite);

  it.each(OPERATIONS_WITH_BODY)(
    'is refused with 400 INVALID_REQUEST: $name',
    async ({ method, path, body }) => {
      const { client, operator } = foyer;
      const hostile = {
        'deeply nested arrays': nestInArrays('1'),
        'deeply nested objects': nestInObjects('1'),
        'deeply nested U+0000': nestInArrays('"\\u0000"'),
        'deeply nested __proto__': nestInObjects('{"__proto__":{}}'),
        'a deeply nested extra member': withMember(body, `"extra":${nestInArrays('1')}`),
        'an unknown member': withMember(body, '"extra":1'),
        'a role': withMember(body, '"role":"OPERATOR"'),
        'the id of another user': withMember(body, '"userId":"somebody"'),
        'a __proto__ member': withMember(body, '"__proto__":{"role":"OPERATOR"}'),
        'an escaped __proto__ member': withMember(body, '"\\u005f_proto__":{"role":"OPERATOR"}'),
        'a constructor member': withMember(body, '"constructor":{"prototype":{"role":"OPERATOR"}}'),
        'members named like object methods': withMember(body, '"toString":null,"hasOwnProperty":1'),
        'the body in an array': `[${JSON.stringify(body)}]`,
        'the body as a JSON string': JSON.stringify(JSON.stringify(body)),
        'the body twice': `${JSON.stringify(body)}${JSON.stringify(body)}`,
        'half a surrogate pair': withMember(body, '"\\ud800":1'),
        'a number of 60,000 digits': '9'.repeat(60_000),
        'many members': `{${Array.from({ length: 6000 }, (_, at) => `"m${at}":0`).join(',')}}`,
      };
      const answers: Record<string, unknown> = {};
      for (const [name, raw] of Object.entries(hostile)) {
        const answer = await client.call(method, path, { token: operator, raw });
        answers[name] = [answer.status, answer.body?.code];
      }
      const refused = Object.keys(hostile).map((name) => [name, [400, 'INVALID_REQUEST']]);
      expect(answers).toEqual(Object.fromEntries(refused));
    },
  );

  it('does not affect later requests', async () => {
    const { client } = foyer;
    const fan = await signUpFan(client);
    const me = await client.get('/users/me', fan.accessToken);
    expect(me.body.role).toBe('CUSTOMER');
    expect(Object.keys(me.body).sort()).toEqual(['email', 'emailVerified', 'id', 'name', 'role']);
    expect((await client.get('/operator/concerts', fan.accessToken)).status).toBe(403);
  });
});

it('no request contains a URL that the server would fetch', () => {
  const openapi = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
  expect(openapi).not.toMatch(
    /"(?:\w*(?:Url|Uri|Href|Callback|Webhook)|url|uri|href|callback|webhook)s?": \{/,
  );
});

describe('invalid amounts and seat lists', () => {
  const foyer = useFoyer(sqlite);

  it('never add money beyond the balance limit', async () => {
    const { client } = foyer;
    const { accessToken } = await signUpFan(client, PRICE);
    const raws = [
      '-1',
      '-0',
      '0',
      '1e-7',
      '0.1',
      '9007199254740993',
      '1e21',
      '-9223372036854775808',
      'NaN',
      '"1"',
    ];
    for (const raw of raws) {
      const answer = await client.call('POST', '/wallet/charges', {
        token: accessToken,
        raw: `{"amount":${raw}}`,
      });
      expect(answer.status, raw).toBe(400);
    }
    expectProblem(await charge(client, accessToken, 1_000_000_000_001), 422, 'BALANCE_LIMIT_EXCEEDED');
    const many = await Promise.all(
      Array.from({ length: 5 }, () => charge(client, accessToken, 600_000_000_000)),
    );
    expect(many.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await balanceOf(client, accessToken)).toBe(PRICE + 600_000_000_000);
  });

  it('never hold a seat', async () => {
    const { client } = foyer;
    const { token, scheduleId, seats } = await startBooking(foyer);
    const [seat = ''] = seats;
    const bodies = [
      [],
      [seat, seat],
      Array.from({ length: 1000 }, () => seat),
      [seat, null],
      [[seat]],
      [''],
      [`${seat}' OR 1=1 --`],
    ];
    for (const seatIds of bodies) {
      const answer = await client.post('/reservations', token, { scheduleId, seatIds });
      expect([400, 404], JSON.stringify(seatIds).slice(0, 60)).toContain(answer.status);
    }
    for (const count of [0, -1, 1.5, 1e9, '1'])
      expect((await client.post('/reservations/best', token, { scheduleId, count })).status).not.toBe(201);
    expect((await client.get('/reservations', token)).body.items).toEqual([]);
  });
});
