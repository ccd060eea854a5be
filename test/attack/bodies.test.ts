import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operations } from '../support/attack/operations.js';
import { startBooking } from '../support/booking.js';
import { sqlite } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { PRICE, signUpFan } from '../support/sale.js';
import { expectProblem } from '../support/shapes.js';
import { balanceOf, charge } from '../support/steps.js';

const WITH_BODY = operations().filter(({ body }) => body !== undefined);
const DEEP = 15_000;

const deep = (inside: string): string => `${'['.repeat(DEEP)}${inside}${']'.repeat(DEEP)}`;
const deepObject = (inside: string): string => `${'{"a":'.repeat(DEEP / 2)}${inside}${'}'.repeat(DEEP / 2)}`;

/** The body with one more member in front, written by hand: `JSON.stringify` would drop some of these. */
const withMember = (body: unknown, member: string): string => `{${member},${JSON.stringify(body).slice(1)}`;

describe('a hostile body', () => {
  const foyer = useFoyer(sqlite);

  it.each(WITH_BODY)('is refused and breaks nothing: $name', async ({ method, path, body }) => {
    const { client, operator } = foyer;
    const hostile = {
      'nested deeply': deep('1'),
      'nested deeply as objects': deepObject('1'),
      'nested deeply around U+0000': deep('"\\u0000"'),
      'nested deeply around a prototype': deepObject('{"__proto__":{}}'),
      'a member nested deeply': withMember(body, `"extra":${deep('1')}`),
      'one member too many': withMember(body, '"extra":1'),
      'the role': withMember(body, '"role":"OPERATOR"'),
      'somebody else': withMember(body, '"userId":"somebody"'),
      'its prototype': withMember(body, '"__proto__":{"role":"OPERATOR"}'),
      'its prototype, escaped': withMember(body, '"\\u005f_proto__":{"role":"OPERATOR"}'),
      'its constructor': withMember(body, '"constructor":{"prototype":{"role":"OPERATOR"}}'),
      'a method of objects': withMember(body, '"toString":null,"hasOwnProperty":1'),
      'an array of it': `[${JSON.stringify(body)}]`,
      'a text of it': JSON.stringify(JSON.stringify(body)),
      'it twice': `${JSON.stringify(body)}${JSON.stringify(body)}`,
      'half a surrogate pair': withMember(body, '"\\ud800":1'),
      'a number without end': '9'.repeat(60_000),
      'many members': `{${Array.from({ length: 6000 }, (_, at) => `"m${at}":0`).join(',')}}`,
    };
    const answers: Record<string, unknown> = {};
    for (const [name, raw] of Object.entries(hostile)) {
      const answer = await client.call(method, path, { token: operator, raw });
      answers[name] = [answer.status, answer.body?.code];
    }
    const refused = Object.keys(hostile).map((name) => [name, [400, 'INVALID_REQUEST']]);
    expect(answers).toEqual(Object.fromEntries(refused));
  });

  it('leaves no trace in what later callers are told', async () => {
    const { client } = foyer;
    const fan = await signUpFan(client);
    const me = await client.get('/users/me', fan.accessToken);
    expect(me.body.role).toBe('CUSTOMER');
    expect(Object.keys(me.body).sort()).toEqual(['email', 'id', 'name', 'role']);
    expect((await client.get('/operator/concerts', fan.accessToken)).status).toBe(403);
  });
});

it('no call takes an address that the server would have to ask', () => {
  const described = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
  expect(described).not.toMatch(
    /"(?:\w*(?:Url|Uri|Href|Callback|Webhook)|url|uri|href|callback|webhook)s?": \{/,
  );
});

describe('hostile amounts', () => {
  const foyer = useFoyer(sqlite);

  it('never make money', async () => {
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

  it('of seats are no way around all or none', async () => {
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
