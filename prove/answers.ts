import { type Static, type TSchema, Type } from 'typebox';
import { readToken } from '../test/support/forge.js';
import { parse } from '../test/support/machine/parse.js';
import type { Saw, What } from './record.js';

/** As much of each answer as a promise depends on; an answer without it is a fault of the server. */
const Place = Type.Object({
  token: Type.String(),
  status: Type.Union([
    Type.Literal('WAITING'),
    Type.Literal('ACTIVE'),
    Type.Literal('DONE'),
    Type.Literal('EXPIRED'),
  ]),
  rank: Type.Integer(),
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
});
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

const seen = <Schema extends TSchema>(schema: Schema, see: (body: Static<Schema>) => Saw) => {
  return (body: unknown, what: What): Saw => see(parse(schema, body, `the answer to ${what}`));
};

const seePlace = seen(Place, ({ token, status, rank }) => {
  const { claims } = readToken(token);
  return { place: { id: String(claims['jti']), number: Number(claims['num']), status, rank, token } };
});
const seeReservation = seen(Reservation, ({ id, seats, amount, status, expiresAt }) => {
  const seatIds = seats.map((seat) => seat.id);
  return { reservation: { id, seatIds, amount, status, expiresAtMs: Date.parse(expiresAt) } };
});
const seeReceipt = seen(Receipt, ({ id, reservationId, amount, balanceAfter }) => ({
  payment: { id, reservationId, amount, balanceAfter },
}));
const nothing = (): Saw => ({});

const SEEN: Readonly<Record<What, (body: unknown, what: What) => Saw>> = {
  join: seePlace,
  poll: seePlace,
  leave: nothing,
  dates: seen(Dates, ({ items }) => ({
    dates: items.map(({ id, seatsRemaining, soldOut }) => ({ id, seatsRemaining, soldOut })),
  })),
  seats: nothing,
  hold: seeReservation,
  reservation: seeReservation,
  release: nothing,
  charge: seen(Charged, ({ entry: { id, amount, balanceAfter } }) => ({
    entry: { id, amount, balanceAfter },
  })),
  wallet: seen(Wallet, ({ balance }) => ({ balance })),
  pay: seeReceipt,
  receipt: seeReceipt,
};

export const readAnswer = (what: What, text: string): Saw =>
  text === '' ? {} : SEEN[what](JSON.parse(text) as unknown, what);

export interface Refused {
  readonly code: string;
  readonly reason: string;
  readonly saw: Saw;
}

export function readProblem(text: string): Refused {
  const { code, reason = '', seatIds } = parse(Problem, JSON.parse(text) as unknown, 'a problem');
  return { code, reason, saw: seatIds === undefined ? {} : { taken: seatIds } };
}
