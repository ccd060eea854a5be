import type { PolicyPatch } from '../../../src/waiting-room/index.js';
import type { Outcome } from '../handlers.js';
import { CONCERT, dateOf, FANS, OPERATOR } from './hall.js';
import type { As, Ask } from './history.js';
import type { Life } from './life.js';
import type { Payment, Place, Reservation, Tables } from './tables.js';

/** What is wanted of which thing. */
export type Wish =
  | { readonly kind: 'join' }
  | { readonly kind: 'poll' | 'leave'; readonly place: Place }
  | { readonly kind: 'hold'; readonly dateId: string; readonly seatIds: readonly string[] }
  | { readonly kind: 'best'; readonly dateId: string; readonly count: number }
  | { readonly kind: 'release' | 'pay'; readonly reservation: Reservation }
  | { readonly kind: 'charge'; readonly amount: number }
  | { readonly kind: 'refund'; readonly payment: Payment }
  | { readonly kind: 'policy'; readonly patch: PolicyPatch }
  | { readonly kind: 'move lines' | 'expire holds' };

/** A call that can be made, and made again. One with a key has its effect once, however often it is sent. */
export interface Request {
  readonly wish: Wish;
  readonly userId: string;
  /** The place it speaks through; null when it is made with an access token, or by nobody. */
  readonly placeId: string | null;
  readonly key: string | null;
  send(life: Life): Promise<Outcome>;
}

/** What asks are made into requests with: the tables as they are, and what earlier answers told. */
export interface Known {
  readonly tables: Tables;
  /** Queue tokens by place. */
  readonly tokens: ReadonlyMap<string, string>;
  /** Requests that were sent with a key. */
  readonly keyed: readonly Request[];
  newKey(): string;
}

type AskTo<Do extends Ask['do']> = Extract<Ask, { readonly do: Do }>;

/** Undefined when there is nothing yet that could be asked for. */
export function toRequest(ask: Ask, known: Known): Request | undefined {
  switch (ask.do) {
    case 'join':
      return toJoin(ask);
    case 'poll':
    case 'leave':
      return toFollow(ask, known);
    case 'hold':
    case 'best':
      return toHold(ask, known);
    case 'release':
      return toRelease(ask, known);
    case 'pay':
      return toPay(ask, known);
    case 'charge': {
      const { fan, amount } = ask;
      const request = { body: { amount } };
      return booking(known, { kind: 'charge', amount }, fan, ask, 'POST /wallet/charges', request);
    }
    case 'refund':
      return toRefund(ask, known);
    case 'policy':
      return toChangePolicy(ask);
    case 'again':
      return pickOf(known.keyed, ask.pick);
    case 'move lines':
      return plain({ kind: ask.do }, '', (life) => done(life.moveLines()));
    case 'expire holds':
      return plain({ kind: ask.do }, '', (life) => done(life.expireHolds()));
  }
}

function toJoin({ fan }: AskTo<'join'>): Request {
  const request = { params: { concertId: CONCERT } };
  return plain({ kind: 'join' }, fan, (life) =>
    life.call('POST /concerts/:concertId/queue-tokens', fan, request),
  );
}

function toFollow(ask: AskTo<'poll' | 'leave'>, { tables, tokens }: Known): Request | undefined {
  const places = tables.places.filter(({ id }) => tokens.has(id));
  const place = pickOf(places, ask.pick);
  if (!place) return undefined;
  const route = ask.do === 'poll' ? 'GET /queue-tokens/me' : 'DELETE /queue-tokens/me';
  const token = tokens.get(place.id) ?? '';
  const request = plain({ kind: ask.do, place }, place.userId, (life) => life.call(route, token));
  return { ...request, placeId: place.id };
}

function toHold(ask: AskTo<'hold' | 'best'>, known: Known): Request {
  const fan = pickFan(known.tables, ask.pick);
  if (ask.do === 'best') {
    const { dateId, count } = ask;
    const request = { body: { scheduleId: dateId, count } };
    return booking(known, { kind: 'best', dateId, count }, fan, ask, 'POST /reservations/best', request);
  }
  const { seats: seatIds } = ask;
  const dateId = dateOf(seatIds);
  const request = { body: { scheduleId: dateId, seatIds } };
  return booking(known, { kind: 'hold', dateId, seatIds }, fan, ask, 'POST /reservations', request);
}

function toRelease({ pick, stranger }: AskTo<'release'>, { tables }: Known): Request | undefined {
  const reservation = pickOf([...tables.reservations.values()], pick);
  if (!reservation) return undefined;
  const userId = stranger ?? reservation.userId;
  const request = { params: { id: reservation.id } };
  return plain({ kind: 'release', reservation }, userId, (life) =>
    life.call('DELETE /reservations/:id', userId, request),
  );
}

/** What is held is what people pay; now and then somebody tries something else. */
function toPay(ask: AskTo<'pay'>, known: Known): Request | undefined {
  const { pick, stranger } = ask;
  const all = [...known.tables.reservations.values()];
  const held = all.filter(({ status }) => status === 'HELD');
  const reservation = pickOf(held.length > 0 && pick % 5 > 0 ? held : all, pick);
  if (!reservation) return undefined;
  const request = { body: { reservationId: reservation.id } };
  const userId = stranger ?? reservation.userId;
  return booking(known, { kind: 'pay', reservation }, userId, ask, 'POST /payments', request);
}

function toRefund(ask: AskTo<'refund'>, known: Known): Request | undefined {
  const payment = pickOf([...known.tables.payments.values()], ask.pick);
  if (!payment) return undefined;
  const route = 'POST /operator/payments/:id/refund';
  const request = { params: { id: payment.id } };
  return booking(known, { kind: 'refund', payment }, OPERATOR, ask, route, request);
}

function toChangePolicy({ patch }: AskTo<'policy'>): Request {
  const request = { params: { id: CONCERT }, body: patch };
  return plain({ kind: 'policy', patch }, OPERATOR, (life) =>
    life.call('PATCH /operator/concerts/:id/waiting-room', OPERATOR, request),
  );
}

/** Mostly those book who have been let in, and now and then anybody. */
function pickFan({ places }: Tables, pick: number): string {
  const inside = places.filter(({ status }) => status === 'ACTIVE').map(({ userId }) => userId);
  return pickOf(inside.length > 0 && pick % 5 > 0 ? inside : FANS, pick) ?? '';
}

const pickOf = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(1, list.length)];

const plain = (wish: Wish, userId: string, send: Request['send']): Request => ({
  wish,
  userId,
  placeId: null,
  key: null,
  send,
});

async function done(work: Promise<void>): Promise<Outcome> {
  await work;
  return { status: 204, body: undefined };
}

/** A call that may come through a place and with a key. */
function booking(
  { tables, tokens, newKey }: Known,
  wish: Wish,
  userId: string,
  { as = 'access', keyed }: { readonly as?: As; readonly keyed: boolean },
  route: string,
  request: { readonly params?: object; readonly body?: object },
): Request {
  const place = tables.places.findLast(({ id, userId: owner }) => owner === userId && tokens.has(id));
  const placeId = as === 'queue' && place ? place.id : null;
  const token = (placeId === null ? undefined : tokens.get(placeId)) ?? userId;
  const key = keyed ? newKey() : null;
  const [method = '', path = ''] = route.split(' ');
  const headers = key === null ? {} : { 'idempotency-key': key };
  const full = { ...request, method, url: `${path}${JSON.stringify(request.params ?? '')}`, headers };
  return { wish, userId, placeId, key, send: (life) => life.call(route, token, full) };
}
