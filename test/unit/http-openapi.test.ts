import { readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  Amount,
  closed,
  Id,
  IdParams,
  listOf,
  Nullable,
  PageQuery,
  Timestamp,
} from '../../src/platform/web/index.js';
import { createHttpApp } from '../support/http-app.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

const { app } = createHttpApp([
  (routes) => {
    routes.post(
      '/wallet/charges',
      {
        schema: {
          tags: ['Wallet'],
          summary: 'Charges <b>the</b> wallet & `more`',
          body: closed({ amount: Amount, at: Type.Optional(Nullable(Timestamp)) }),
          response: { 201: closed({ balance: Amount }), 204: Type.Null() },
        },
        config: {
          credential: 'either',
          idempotent: true,
          refuses: ['INVALID_AMOUNT', 'BALANCE_LIMIT_EXCEEDED'],
        },
      },
      async (_request, reply) => reply.code(201).send({ balance: 1 }),
    );
    routes.get(
      '/things/:id',
      {
        schema: {
          tags: ['Things'],
          params: IdParams,
          querystring: PageQuery,
          response: {
            200: listOf(closed({ id: Id, kind: Type.Union([Type.Literal('A'), Type.Literal('B')]) })),
          },
        },
        config: { credential: 'queue' },
      },
      () => ({ items: [], nextCursor: null }),
    );
    routes.get('/public', () => ({}));
  },
]);
afterAll(() => app.close());

// Tests read arbitrary parts of the document.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
let document: any;
beforeAll(async () => {
  document = (await app.inject('/openapi.json')).json();
});

const codesOf = (response: { content: Record<string, { schema: { allOf: object[] } }> }) =>
  response.content['application/problem+json']!.schema.allOf;

describe('the API description', () => {
  it('is OpenAPI 3.1 with the version of package.json', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info).toMatchObject({ title: 'Foyer', version });
  });

  it('lists the credentials of each call', () => {
    expect(Object.keys(document.components.securitySchemes)).toEqual(['accessToken', 'queueToken']);
    expect(document.paths['/api/v1/wallet/charges'].post.security).toEqual([
      { accessToken: [] },
      { queueToken: [] },
    ]);
    expect(document.paths['/api/v1/things/{id}'].get.security).toEqual([{ queueToken: [] }]);
    expect(document.paths['/api/v1/public'].get.security).toBeUndefined();
  });

  it('lists the refusals of a call by status', () => {
    const { responses } = document.paths['/api/v1/wallet/charges'].post;
    expect(Object.keys(responses)).toEqual([
      '201',
      '204',
      '400',
      '401',
      '403',
      '404',
      '409',
      '413',
      '415',
      '422',
      '500',
      '503',
    ]);
    expect(codesOf(responses[422])).toEqual([
      { $ref: '#/components/schemas/Problem' },
      {
        type: 'object',
        properties: { code: { enum: ['BALANCE_LIMIT_EXCEEDED', 'IDEMPOTENCY_KEY_REUSED'] } },
      },
    ]);
    expect(document.components.schemas.Problem.required).toEqual([
      'type',
      'title',
      'status',
      'detail',
      'code',
    ]);
    expect(Object.keys(document.paths['/api/v1/public'].get.responses)).toEqual(['200', '500', '503']);
  });

  it('lists the Idempotency-Key header of idempotent calls', () => {
    const { parameters } = document.paths['/api/v1/wallet/charges'].post;
    expect(parameters).toMatchObject([
      {
        in: 'header',
        name: 'Idempotency-Key',
        required: false,
        schema: { pattern: '^[A-Za-z0-9_-]{16,64}$' },
      },
    ]);
    expect(JSON.stringify(document.paths['/api/v1/things/{id}'])).not.toContain('Idempotency-Key');
  });

  it('gives every operation a unique id', () => {
    const names = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap(
      (operations) => Object.values(operations).map(({ operationId }) => operationId),
    );
    expect(names).toContain('getThingsById');
    expect(new Set(names).size).toBe(names.length);
  });

  it('does not change the validation', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v1/wallet/charges',
      payload: { amount: 1 },
      headers: { 'idempotency-key': '!' },
    });
    expect(answer.statusCode).toBe(201);
  });
});
