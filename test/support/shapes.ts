import { expect } from 'vitest';
import type { Answer } from './client.js';

/** The shapes of the HTTP contract, for `toMatchObject`: responses may have additional fields. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const orNull = (matcher: unknown): unknown => expect.toBeOneOf([null, matcher]);

const anInstant: unknown = expect.stringMatching(INSTANT);
/** Long enough that ids cannot be guessed. */
export const anId: unknown = expect.stringMatching(/^[\w-]{16,64}$/);
export const aCount: unknown = expect.toSatisfy(
  (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0,
);
const anAmount: unknown = expect.toSatisfy(Number.isSafeInteger);
const aText: unknown = expect.any(String);
const aFlag: unknown = expect.any(Boolean);
const someText: unknown = expect.stringMatching(/\S/);

export const aUser = {
  id: anId,
  email: aText,
  name: aText,
  role: expect.toBeOneOf(['CUSTOMER', 'OPERATOR']),
};
export const aSession = { user: aUser, accessToken: someText, expiresAt: anInstant };

export const aQueueToken = {
  token: someText,
  concertId: anId,
  status: expect.toBeOneOf(['WAITING', 'ACTIVE', 'DONE', 'EXPIRED', 'CLOSED']),
  rank: aCount,
  ahead: aCount,
  joinedAt: anInstant,
  activatedAt: orNull(anInstant),
  expiresAt: orNull(anInstant),
  estimatedWaitSeconds: orNull(aCount),
  pollAfterMs: aCount,
  paused: aFlag,
  notice: orNull(expect.toBeOneOf([someText, expect.any(Object)])),
};

export const aConcert = {
  id: anId,
  title: someText,
  venue: someText,
  description: aText,
  currency: expect.stringMatching(/^[A-Z]{3}$/),
  salesOpenAt: orNull(anInstant),
  salesCloseAt: orNull(anInstant),
  soldOut: aFlag,
};

export const aSchedule = {
  id: anId,
  concertId: anId,
  startsAt: anInstant,
  seatsTotal: aCount,
  seatsRemaining: aCount,
  soldOut: aFlag,
};

export const aSeat = {
  id: anId,
  section: someText,
  row: someText,
  number: aCount,
  label: someText,
  grade: someText,
  price: aCount,
  status: expect.toBeOneOf(['AVAILABLE', 'HELD', 'SOLD']),
};

export const aReservation = {
  id: anId,
  concertId: anId,
  scheduleId: anId,
  seats: expect.any(Array),
  amount: aCount,
  currency: 'KRW',
  status: expect.toBeOneOf(['HELD', 'CONFIRMED', 'EXPIRED', 'CANCELLED']),
  createdAt: anInstant,
  expiresAt: anInstant,
};

export const anEntry = {
  id: anId,
  type: expect.toBeOneOf(['CHARGE', 'PAYMENT', 'REFUND']),
  amount: anAmount,
  balanceAfter: aCount,
  reference: orNull(aText),
  createdAt: anInstant,
};

export const aReceipt = {
  id: anId,
  number: someText,
  reservationId: anId,
  concert: { id: anId, title: someText, venue: someText },
  schedule: { id: anId, startsAt: anInstant },
  seats: expect.any(Array),
  amount: aCount,
  currency: 'KRW',
  balanceAfter: aCount,
  paidAt: anInstant,
};

/** Expects a problem response with this status and code, and these extra members. */
export function expectProblem(
  answer: Answer,
  status: number,
  code: string,
  extra: Readonly<Record<string, unknown>> = {},
): void {
  expect({ status: answer.status, body: answer.body }, answer.text).toMatchObject({
    status,
    body: { type: someText, title: someText, status, detail: someText, code, ...extra },
  });
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json\b/);
  // No stack trace and no SQL.
  expect(answer.text).not.toMatch(
    /\bat \S+ \(|\.[jt]s:\d+|node_modules|\b(SELECT|INSERT|UPDATE|DELETE) |SQLITE|sqlstate/i,
  );
}

export const expectDenied = (answer: Answer, status: 401 | 403, reason: string): void => {
  expectProblem(answer, status, 'ACCESS_DENIED', { reason });
};

/** Expects one page of a list and returns its items. */
export function expectList<Item = Record<string, unknown>>(answer: Answer): Item[] {
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body).toMatchObject({ items: expect.any(Array), nextCursor: orNull(someText) });
  return answer.body.items as Item[];
}
