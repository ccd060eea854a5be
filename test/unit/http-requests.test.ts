import { afterAll, describe, expect, it } from 'vitest';
import { Type } from 'typebox';
import { Amount, closed, Count, Id, IdParams, PageQuery } from '../../src/platform/web/index.js';
import { createHttpApp } from '../support/http-app.js';

const LARGE_MAX_BYTES = 200_000;
const Body = closed({
  amount: Amount,
  kind: Type.Optional(Type.Union([Type.Literal('A'), Type.Literal('B')])),
});

const { app, logged } = createHttpApp(
  [
    (routes) => {
      routes.post('/amounts', { schema: { body: Body } }, ({ body }) => ({ amount: body.amount }));
      routes.post('/large', { schema: { body: Type.Unknown() }, bodyLimit: LARGE_MAX_BYTES }, () => ({
        ok: true,
      }));
      routes.post('/counts', { schema: { body: Count } }, ({ body }) => ({ count: body }));
      const list = { schema: { body: Type.Array(Type.Integer()) } };
      routes.post('/lists', list, () => ({}));
      routes.post('/operator/lists', { ...list, config: { credential: 'operator' } }, () => ({}));
      routes.post('/nested', { schema: { body: closed({ inner: Body }) } }, () => ({}));
      routes.post('/records', { schema: { body: Type.Record(Type.String(), Type.Integer()) } }, () => ({}));
      routes.post('/bare', ({ body }) => ({ body: body === undefined ? 'none' : body }));
      routes.get(
        '/things/:id',
        { schema: { params: IdParams, querystring: PageQuery } },
        ({ params }) => params,
      );
      routes.patch('/things/:id', { schema: { params: IdParams } }, ({ params }) => params);
      routes.get(
        '/numbered',
        { schema: { querystring: closed({ n: Type.Integer() }) } },
        ({ query }) => query,
      );
      routes.get('/headed', { schema: { headers: Type.Object({ n: Type.Integer() }) } }, () => ({}));
      routes.get('/cached', (_request, reply) =>
        reply.header('cache-control', 'public, max-age=9').send({ id: Id }),
      );
    },
  ],
  { level: 'debug' },
);
afterAll(() => app.close());

const post = (
  payload: string | Buffer,
  url = '/amounts',
  contentType: string | undefined = 'application/json',
) =>
  app.inject({
    method: 'POST',
    url: `/api/v1${url}`,
    payload,
    headers: contentType === '' ? {} : { 'content-type': contentType },
  });

describe('an amount', () => {
  it.each(['100', '-5', '0', '1e2', '9007199254740991'])('may be %s', async (literal) => {
    const answer = await post(`{"amount":${literal}}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ amount: Number(literal) });
  });

  it.each([
    '"100"',
    'true',
    'false',
    'null',
    '[100]',
    '{}',
    '""',
    '1.5',
    '1e400',
    '-1e400',
    '9007199254740992',
    '-9007199254740992',
    '1e21',
  ])('may not be %s', async (literal) => {
    const answer = await post(`{"amount":${literal}}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(answer.json()).toMatchObject({ code: 'INVALID_REQUEST', status: 400 });
    expect(answer.json().detail).toMatch(/^body\/amount must be /);
  });
});

it.each(['1e400', '"1"', '0.5', '-1'])('a count without an upper limit may not be %s', async (literal) => {
  const answer = await post(literal, '/counts');
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'INVALID_REQUEST']);
});

describe('a body', () => {
  it('may not have unknown members', async () => {
    const answer = await post('{"amount":1,"extra":"s3cret"}');
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errors: ['body must not have the member extra'] });
    expect(answer.body).not.toContain('s3cret');
  });

  it('must have the members it needs', async () => {
    expect((await post('{}')).json().detail).toBe('body/amount is required.');
  });

  it('lists every fault with its path', async () => {
    const answer = await post('{"kind":"s3cret","extra":1,"other":2}');
    const problem = answer.json();
    expect(problem.faults).toHaveLength(4);
    expect(problem.faults).toEqual(
      expect.arrayContaining([
        { path: '/amount', rule: 'is required' },
        { path: '/kind', rule: 'must be one of A, B' },
        { path: '', rule: 'must not have the member extra' },
        { path: '', rule: 'must not have the member other' },
      ]),
    );
    expect([...problem.errors].sort()).toEqual([
      'body must not have the member extra',
      'body must not have the member other',
      'body/amount is required',
      'body/kind must be one of A, B',
    ]);
    expect(problem.detail).toContain('body/kind must be one of A, B');
    expect(answer.body).not.toContain('s3cret');
  });

  it('lists one fault per value', async () => {
    const { faults } = (await post('[1,2,"x"]', '/lists')).json();
    expect(faults).toEqual([{ path: '/2', rule: 'must be integer' }]);
    expect((await post('{"a/b":"x","~":"x"}', '/records')).json().faults).toEqual([
      { path: '/a~1b', rule: 'must be integer' },
      { path: '/~0', rule: 'must be integer' },
    ]);
  });

  it('lists every unknown member of a nested object', async () => {
    const { faults } = (await post('{"inner":{"amount":1,"a":1,"b":2}}', '/nested')).json();
    expect(faults).toEqual([
      { path: '/inner', rule: 'must not have the member a' },
      { path: '/inner', rule: 'must not have the member b' },
    ]);
  });

  it('lists at most a hundred faults', async () => {
    const { faults } = (await post(JSON.stringify(Array(500).fill('x')), '/operator/lists')).json();
    expect(faults).toHaveLength(100);
  });

  it('lists only its first fault if it is large, so that refusing it stays cheap', async () => {
    const countFaults = async (values: number, url: string): Promise<number> =>
      (await post(JSON.stringify(Array(values).fill('x')), url)).json().faults.length;
    // The array is a value, too.
    expect(await countFaults(99, '/lists')).toBe(99);
    expect(await countFaults(100, '/lists')).toBe(1);
    expect(await countFaults(1999, '/operator/lists')).toBe(100);
    expect(await countFaults(2000, '/operator/lists')).toBe(1);
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    for (const url of ['/lists', '/operator/lists'])
      expect((await post(deep, url)).json().faults).toHaveLength(1);
  });

  it('lists the allowed values in the error, but not the sent one', async () => {
    const answer = await post('{"amount":1,"kind":"s3cret"}');
    expect(answer.json().detail).toBe('body/kind must be one of A, B.');
    expect(answer.body).not.toContain('s3cret');
  });

  it.each([
    '{"amount":1,"__proto__":{"admin":true}}',
    '{"amount":1,"constructor":{"prototype":{"admin":true}}}',
  ])('may not set prototypes: %s', async (poison) => {
    for (const url of ['/amounts', '/bare']) {
      const answer = await post(poison, url);
      expect(answer.statusCode).toBe(400);
      expect(answer.json().code).toBe('INVALID_REQUEST');
    }
  });

  it.each(['{', '{"amount":1}x', '{"amount":01}', '{"amount":NaN}', "{'amount':1}", '{"amount":1,}', ' '])(
    'must be JSON: %s',
    async (text) => {
      const answer = await post(text);
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ code: 'INVALID_REQUEST', detail: 'body must be valid JSON.' });
    },
  );

  it('must be UTF-8', async () => {
    const answer = await post(Buffer.from([0x22, 0xc3, 0x28, 0x22]), '/bare');
    expect(answer.statusCode).toBe(400);
    expect(answer.json().detail).toBe('body must be UTF-8.');
    expect((await post(Buffer.from('"좌석"'), '/bare')).json()).toEqual({ body: '좌석' });
  });

  it('may be empty if none is required, with or without a content type', async () => {
    expect((await post('', '/bare')).json()).toEqual({ body: 'none' });
    expect((await post('', '/bare', '')).json()).toEqual({ body: 'none' });
    expect((await post('')).json()).toMatchObject({
      code: 'INVALID_REQUEST',
      detail: 'body must be object.',
    });
  });

  it('may not be larger than 64 KiB', async () => {
    const padded = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;
    expect((await post(padded(64 * 1024), '/bare')).statusCode).toBe(200);
    const answer = await post(padded(64 * 1024 + 1), '/bare');
    expect(answer.statusCode).toBe(413);
    expect(answer.json().code).toBe('PAYLOAD_TOO_LARGE');
    expect((await post(padded(LARGE_MAX_BYTES), '/large')).statusCode).toBe(200);
    expect((await post(padded(LARGE_MAX_BYTES + 1), '/large')).statusCode).toBe(413);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'nonsense',
    '',
  ])('may not be of type "%s"', async (type) => {
    const answer = await post('{"amount":1}', '/amounts', type);
    expect(answer.statusCode).toBe(415);
    expect(answer.json().code).toBe('UNSUPPORTED_MEDIA_TYPE');
  });
});

describe('query, headers and path', () => {
  it('are not coerced either', async () => {
    expect((await app.inject('/api/v1/numbered?n=1')).json().detail).toBe('query/n must be integer.');
    const headed = await app.inject({ url: '/api/v1/headed', headers: { n: '1' } });
    expect(headed.json().detail).toBe('headers/n must be integer.');
  });

  it.each(['limit=0', 'limit=', 'limit=1&limit=2', 'limit=1.5', 'nonsense=1', 'limit[]=1'])(
    'are validated: ?%s',
    async (query) => {
      const answer = await app.inject(`/api/v1/things/1?${query}`);
      expect(answer.statusCode).toBe(400);
      expect(answer.json().code).toBe('INVALID_REQUEST');
    },
  );

  it.each([
    ['%ff', 'path must be percent-encoded UTF-8.'],
    ['%', 'path must be percent-encoded UTF-8.'],
    ['x'.repeat(101), 'path has a segment that is too long.'],
    ['x'.repeat(65), 'path/id must NOT have more than 64 characters.'],
  ])('are refused if the path is invalid: /things/%s', async (id, detail) => {
    const answer = await app.inject(`/api/v1/things/${id}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'INVALID_REQUEST', detail });
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });
});

describe('a path', () => {
  it('that does not exist is NOT_FOUND', async () => {
    for (const url of ['/api/v1/nowhere', '/nowhere', '/api/v1', '/api/v2/things/1']) {
      const answer = await app.inject(url);
      expect(answer.statusCode).toBe(404);
      expect(answer.json().code).toBe('NOT_FOUND');
      expect(answer.headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    }
  });

  it('with another method is 405 and lists the allowed methods', async () => {
    for (const method of ['PUT', 'DELETE', 'OPTIONS'] as const) {
      const answer = await app.inject({ method, url: '/api/v1/things/1?limit=1' });
      expect(answer.statusCode).toBe(405);
      expect(answer.json().code).toBe('METHOD_NOT_ALLOWED');
      expect(answer.headers.allow).toBe('GET, HEAD, PATCH');
    }
  });
});

describe('every response', () => {
  const SECURE = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };

  it('has the security headers and no CORS headers', async () => {
    for (const url of ['/api/v1/things/1', '/api/v1/nowhere', '/healthz', '/openapi.json']) {
      const { headers } = await app.inject({ url, headers: { origin: 'https://elsewhere.example' } });
      expect(headers).toMatchObject(SECURE);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  it('is cached if its route says so', async () => {
    const { headers } = await app.inject('/api/v1/cached');
    expect(headers['cache-control']).toBe('public, max-age=9');
  });

  it('does not use a request id of the client', async () => {
    await app.inject({
      url: '/api/v1/things/1',
      headers: { 'request-id': 'forged', 'x-request-id': 'forged' },
    });
    expect(JSON.stringify(logged())).not.toContain('forged');
  });
});
