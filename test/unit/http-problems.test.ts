import { afterAll, describe, expect, it } from 'vitest';
import {
  denied,
  type DenialReason,
  Refusal,
  type RefusalCode,
  type RefusalExtra,
} from '../../src/kernel/refusal.js';
import { StoreUnavailable } from '../../src/platform/sql/index.js';
import { createHttpApp } from '../support/http-app.js';

/** The statuses of the contract. */
const STATUSES: Readonly<Record<RefusalCode, number>> = {
  ACCESS_DENIED: 403,
  ALREADY_OPERATOR: 409,
  ALREADY_RESERVED_SEAT: 409,
  BALANCE_LIMIT_EXCEEDED: 422,
  BALANCE_NOT_ZERO: 409,
  OPERATOR_NOT_ERASABLE: 409,
  CANNOT_REMOVE_YOURSELF: 409,
  CONCERT_NOT_FOUND: 404,
  EMAIL_TAKEN: 409,
  FORBIDDEN: 403,
  IDEMPOTENCY_KEY_IN_FLIGHT: 409,
  IDEMPOTENCY_KEY_REUSED: 422,
  INTERNAL_ERROR: 500,
  IMAGE_DIMENSIONS_INVALID: 422,
  IMAGE_TOO_LARGE: 413,
  IMAGE_TYPE_UNSUPPORTED: 415,
  INVALID_AMOUNT: 400,
  INVALID_REQUEST: 400,
  METHOD_NOT_ALLOWED: 405,
  NOT_ENOUGH_BALANCE: 402,
  NOT_FOUND: 404,
  NO_SEATS_TOGETHER: 409,
  OPERATOR_NOT_FOUND: 404,
  PAYLOAD_TOO_LARGE: 413,
  PAYMENT_NOT_FOUND: 404,
  REQUEST_TIMEOUT: 408,
  RESERVATION_EXPIRED: 409,
  RESERVATION_NOT_FOUND: 404,
  RESERVATION_NOT_HELD: 409,
  RESET_TOKEN_INVALID: 410,
  SALES_CLOSED: 409,
  SALES_NOT_OPEN: 409,
  SCHEDULE_CLOSED: 409,
  SCHEDULE_NOT_FOUND: 404,
  SEAT_LIMIT_EXCEEDED: 409,
  SEAT_NOT_FOUND: 404,
  SOLD_OUT: 409,
  TOO_MANY_REQUESTS: 429,
  TOO_MANY_STREAMS: 503,
  UNAVAILABLE: 503,
  UNSUPPORTED_MEDIA_TYPE: 415,
  USER_NOT_FOUND: 404,
  VERIFICATION_TOKEN_INVALID: 410,
  WRONG_CREDENTIALS: 401,
};

const DENIALS: Readonly<Record<DenialReason, number>> = {
  MISSING: 401,
  INVALID: 401,
  NOT_ACTIVE: 403,
  EXPIRED: 403,
  USED: 403,
  LEFT: 403,
  CLOSED: 403,
  WRONG_CONCERT: 403,
};

let thrown: unknown;
const { app, logged } = createHttpApp([
  (routes) => {
    routes.get('/thrower', (_request, reply) => {
      reply.header('cache-control', 'public, max-age=60').type('text/csv');
      throw thrown;
    });
  },
]);
afterAll(() => app.close());

async function answerTo(error: unknown) {
  thrown = error;
  const answer = await app.inject('/api/v1/thrower');
  return {
    ...answer,
    headers: answer.headers,
    status: answer.statusCode,
    text: answer.body,
    problem: answer.json(),
  };
}
const refuse = (code: RefusalCode, extra?: RefusalExtra) => answerTo(new Refusal(code, extra));

describe('a refusal', () => {
  it.each(Object.entries(STATUSES))('%s is a problem with status %i', async (code, status) => {
    const answer = await refuse(code as RefusalCode);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(Object.keys(answer.problem)).toEqual(['type', 'title', 'status', 'detail', 'code']);
    expect(answer.problem).toMatchObject({
      type: `urn:foyer:problem:${code.toLowerCase().replaceAll('_', '-')}`,
      status,
      code,
    });
    expect(answer.problem.title).toMatch(/^[A-Z]/);
    expect(answer.problem.detail).toMatch(/^[A-Z].*\.$/);
  });

  it.each(Object.entries(DENIALS))('ACCESS_DENIED with reason %s has status %i', async (reason, status) => {
    const answer = await answerTo(denied(reason as DenialReason));
    expect(answer.status).toBe(status);
    expect(answer.problem).toMatchObject({ code: 'ACCESS_DENIED', status, reason });
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
  });

  it('ACCESS_DENIED has a different detail for each reason', async () => {
    const details = new Set<string>();
    for (const reason of Object.keys(DENIALS)) {
      details.add((await answerTo(denied(reason as DenialReason))).problem.detail);
    }
    expect(details.size).toBe(Object.keys(DENIALS).length);
  });

  it('has its extra members after the common ones', async () => {
    const { problem } = await refuse('NOT_ENOUGH_BALANCE', {
      balance: 5,
      amount: 7,
      seatIds: ['a'],
      none: null,
    });
    expect(Object.keys(problem).slice(5)).toEqual(['balance', 'amount', 'seatIds', 'none']);
    expect(problem).toMatchObject({ balance: 5, amount: 7, seatIds: ['a'], none: null });
  });

  it('does not let extra members override common ones', async () => {
    const { problem, status } = await refuse('SALES_CLOSED', { status: 200, code: 'NICE', type: 'x' });
    expect(status).toBe(409);
    expect(problem).toMatchObject({
      status: 409,
      code: 'SALES_CLOSED',
      type: 'urn:foyer:problem:sales-closed',
    });
  });

  it('has Retry-After for 429 and 503', async () => {
    const limited = await refuse('TOO_MANY_REQUESTS', { retryAfterSeconds: 7 });
    expect(limited.headers['retry-after']).toBe('7');
    expect(limited.problem.retryAfterSeconds).toBe(7);
    for (const code of ['UNAVAILABLE', 'TOO_MANY_STREAMS', 'TOO_MANY_REQUESTS'] as const) {
      expect((await refuse(code)).headers['retry-after']).toMatch(/^[1-9]\d*$/);
    }
    expect((await refuse('SALES_CLOSED')).headers['retry-after']).toBeUndefined();
  });

  it('names the invalid field', async () => {
    expect((await refuse('INVALID_REQUEST', { field: 'cursor' })).problem.detail).toBe(
      'cursor is not valid.',
    );
  });

  it('is never cached, even if the route is', async () => {
    expect((await refuse('SALES_CLOSED')).headers['cache-control']).toBe('no-store');
  });
});

describe('an unexpected error', () => {
  it('is logged with the request id and not shown to the client', async () => {
    const answer = await answerTo(new Error('no such table: seats'));
    expect(answer.status).toBe(500);
    expect(answer.problem.code).toBe('INTERNAL_ERROR');
    expect(answer.text).not.toContain('table');
    const { requestId } = answer.problem;
    const lines = logged().filter(({ reqId }) => reqId === requestId);
    expect(lines.map(({ level }) => level)).toEqual([50, 50]);
    expect(JSON.stringify(lines)).toContain('no such table: seats');
  });

  it('may be any thrown value', async () => {
    for (const value of [
      'text',
      42,
      { statusCode: 200 },
      Object.assign(new Error('x'), { statusCode: 302 }),
    ]) {
      const answer = await answerTo(value);
      expect(answer.status).toBe(500);
      expect(answer.problem.code).toBe('INTERNAL_ERROR');
    }
  });
});

it('StoreUnavailable becomes UNAVAILABLE and is logged', async () => {
  const before = logged().length;
  const answer = await answerTo(new StoreUnavailable('disk full', { cause: new Error('SQLITE_FULL') }));
  expect(answer.status).toBe(503);
  expect(answer.problem.code).toBe('UNAVAILABLE');
  expect(answer.text).not.toContain('SQLITE_FULL');
  expect(JSON.stringify(logged().slice(before))).toContain('SQLITE_FULL');
});
