import { type Static, type TSchema, Type } from 'typebox';
import { readToken } from '../test/support/forge.js';
import { parse } from '../test/support/machine/parse.js';
import type { Observation, Operation } from './call-log.js';

/** Parses API responses: the schemas name only what an invariant depends on, and a response without it is a server bug. */

const NullableTime = Type.Union([Type.String(), Type.Null()]);
const toMs = (time: string | null): number | null => (time === null ? null : Date.parse(time));

const Place = Type.Object({
  token: Type.String(),
  status: Type.Union([
    Type.Literal('WAITING'),
    Type.Literal('ACTIVE'),
    Type.Literal('DONE'),
    Type.Literal('EXPIRED'),
    Type.Literal('CLOSED'),
  ]),
  rank: Type.Integer(),
  activatedAt: NullableTime,
});
const Reservation = Type.Object({
  id: Type.String(),
  seats: Type.Array(Type.Object({ id: Type.String() })),
  amount: Type.Integer(),
  status: Type.String(),
  expiresAt: Type.String(),
});
const Charged = Type.Object({
  entry: Type.Object({ id: Type.String(), amount: Type.Integer(), balanceAfter: Type.Integer() }),
});
const Wallet = Type.Object({ balance: Type.Integer() });
const Receipt = Type.Object({
  id: Type.String(),
  reservationId: Type.String(),
  amount: Type.Integer(),
  balanceAfter: Type.Integer(),
  refundedAt: NullableTime,
});
const Refund = Type.Object({ paymentId: Type.String(), amount: Type.Integer(), refundedAt: Type.String() });
const Dates = Type.Object({
  items: Type.Array(
    Type.Object({ id: Type.String(), seatsRemaining: Type.Integer(), soldOut: Type.Boolean() }),
  ),
});
const Problem = Type.Object({
  code: Type.String(),
  reason: Type.Optional(Type.String()),
  seatIds: Type.Optional(Type.Array(Type.String())),
});

type Observe = (body: unknown, operation: Operation) => Observation;

const observe =
  <Schema extends TSchema>(schema: Schema, toObservation: (body: Static<Schema>) => Observation): Observe =>
  (body, operation) =>
    toObservation(parse(schema, body, `response to ${operation}`));

const observePlace = observe(Place, ({ token, status, rank, activatedAt }) => {
  const { claims } = readToken(token);
  const id = String(claims['jti']);
  const number = Number(claims['num']);
  return { place: { id, number, status, rank, activatedAtMs: toMs(activatedAt), token } };
});
const observeReservation = observe(Reservation, ({ id, seats, amount, status, expiresAt }) => {
  const seatIds = seats.map((seat) => seat.id);
  return { reservation: { id, seatIds, amount, status, expiresAtMs: Date.parse(expiresAt) } };
});
const observeReceipt = observe(Receipt, ({ id, reservationId, amount, balanceAfter, refundedAt }) => ({
  payment: { id, reservationId, amount, balanceAfter, refundedAtMs: toMs(refundedAt) },
}));
const observeNothing = (): Observation => ({});

const OBSERVERS: Readonly<Record<Operation, Observe>> = {
  join: observePlace,
  poll: observePlace,
  leave: observeNothing,
  dates: observe(Dates, ({ items }) => ({
    dates: items.map(({ id, seatsRemaining, soldOut }) => ({ id, seatsRemaining, soldOut })),
  })),
  seats: observeNothing,
  hold: observeReservation,
  reservation: observeReservation,
  release: observeNothing,
  charge: observe(Charged, ({ entry: { id, amount, balanceAfter } }) => ({
    entry: { id, amount, balanceAfter },
  })),
  wallet: observe(Wallet, ({ balance }) => ({ balance })),
  pay: observeReceipt,
  receipt: observeReceipt,
  refund: observe(Refund, ({ paymentId, amount, refundedAt }) => ({
    refund: { paymentId, amount, refundedAtMs: Date.parse(refundedAt) },
  })),
  'edit-policy': observeNothing,
  'edit-sale': observeNothing,
};

export const parseResponse = (operation: Operation, text: string): Observation =>
  text === '' ? {} : OBSERVERS[operation](JSON.parse(text) as unknown, operation);

export interface ParsedProblem {
  readonly code: string;
  readonly reason: string;
  readonly observed: Observation;
}

export function parseProblem(text: string): ParsedProblem {
  const { code, reason = '', seatIds } = parse(Problem, JSON.parse(text) as unknown, 'problem response');
  return { code, reason, observed: seatIds === undefined ? {} : { takenSeatIds: seatIds } };
}
