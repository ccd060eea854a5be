import type { PolicyPatch } from '../../../src/waiting-room/index.js';
import type { Outcome } from '../handlers.js';
import type { Engine } from './engine.js';
import type { Action, Credential } from './history.js';
import { CONCERT, dateOf, FANS, OPERATOR } from './sale-fixture.js';
import type { Payment, Place, Reservation, Tables } from './tables.js';

/** What a request does, with the row it is about as it was when the request was created. */
export type Operation =
  | { readonly kind: 'join' }
  | { readonly kind: 'poll' | 'leave'; readonly place: Place }
  | { readonly kind: 'hold'; readonly dateId: string; readonly seatIds: readonly string[] }
  | { readonly kind: 'best'; readonly dateId: string; readonly count: number }
  | { readonly kind: 'release' | 'pay'; readonly reservation: Reservation }
  | { readonly kind: 'charge'; readonly amount: number }
  | { readonly kind: 'refund'; readonly payment: Payment }
  | { readonly kind: 'policy'; readonly patch: PolicyPatch }
  | { readonly kind: 'move closing'; readonly salesCloseAt: string | null }
  | { readonly kind: 'run admission' | 'expire holds' };

/** A request that can be sent several times. With a key, it must have its effect only once. */
export interface Request {
  readonly operation: Operation;
  readonly userId: string;
  /** The place whose queue token it is sent with; null for an access token or a job. */
  readonly placeId: string | null;
  readonly key: string | null;
  send(engine: Engine): Promise<Outcome>;
}

/** What is known when actions are turned into requests: the current tables, and what earlier responses said. */
export interface RequestContext {
  readonly tables: Tables;
  /** Queue tokens by place id. */
  readonly tokens: ReadonlyMap<string, string>;
  readonly keyedRequests: readonly Request[];
  newKey(): string;
  nowMs(): number;
}

type ActionOf<Kind extends Action['kind']> = Extract<Action, { readonly kind: Kind }>;

/** Undefined when nothing exists yet that the action could pick. */
export function toRequest(action: Action, context: RequestContext): Request | undefined {
  switch (action.kind) {
    case 'join':
      return toJoin(action);
    case 'poll':
    case 'leave':
      return toPollOrLeave(action, context);
    case 'hold':
    case 'best':
      return toHold(action, context);
    case 'release':
      return toRelease(action, context);
    case 'pay':
      return toPay(action, context);
    case 'charge': {
      const { fan, amount } = action;
      const request = { body: { amount } };
      return createBookingRequest(
        context,
        { kind: 'charge', amount },
        fan,
        action,
        'POST /wallet/charges',
        request,
      );
    }
    case 'refund':
      return toRefund(action, context);
    case 'policy':
      return toChangePolicy(action);
    case 'move closing':
      return toMoveClosing(action, context);
    case 'resend':
      return pickOf(context.keyedRequests, action.pick);
    case 'run admission':
      return createRequest({ kind: action.kind }, '', (engine) => done(engine.runAdmission()));
    case 'expire holds':
      return createRequest({ kind: action.kind }, '', (engine) => done(engine.expireHolds()));
  }
}

function toJoin({ fan }: ActionOf<'join'>): Request {
  const request = { params: { concertId: CONCERT } };
  return createRequest({ kind: 'join' }, fan, (engine) =>
    engine.call('POST /concerts/:concertId/queue-tokens', fan, request),
  );
}

function toPollOrLeave(
  action: ActionOf<'poll' | 'leave'>,
  { tables, tokens }: RequestContext,
): Request | undefined {
  const places = tables.places.filter(({ id }) => tokens.has(id));
  const place = pickOf(places, action.pick);
  if (!place) return undefined;
  const route = action.kind === 'poll' ? 'GET /queue-tokens/me' : 'DELETE /queue-tokens/me';
  const token = tokens.get(place.id) ?? '';
  const request = createRequest({ kind: action.kind, place }, place.userId, (engine) =>
    engine.call(route, token),
  );
  return { ...request, placeId: place.id };
}

function toHold(action: ActionOf<'hold' | 'best'>, context: RequestContext): Request {
  const fan = pickFan(context.tables, action.pick);
  if (action.kind === 'best') {
    const { dateId, count } = action;
    const request = { body: { scheduleId: dateId, count } };
    return createBookingRequest(
      context,
      { kind: 'best', dateId, count },
      fan,
      action,
      'POST /reservations/best',
      request,
    );
  }
  const { seats: seatIds } = action;
  const dateId = dateOf(seatIds);
  const request = { body: { scheduleId: dateId, seatIds } };
  return createBookingRequest(
    context,
    { kind: 'hold', dateId, seatIds },
    fan,
    action,
    'POST /reservations',
    request,
  );
}

function toRelease({ pick, otherFan }: ActionOf<'release'>, { tables }: RequestContext): Request | undefined {
  const reservation = pickOf([...tables.reservations.values()], pick);
  if (!reservation) return undefined;
  const userId = otherFan ?? reservation.userId;
  const request = { params: { id: reservation.id } };
  return createRequest({ kind: 'release', reservation }, userId, (engine) =>
    engine.call('DELETE /reservations/:id', userId, request),
  );
}

/** Usually picks a HELD reservation, sometimes any. */
function toPay(action: ActionOf<'pay'>, context: RequestContext): Request | undefined {
  const { pick, otherFan } = action;
  const all = [...context.tables.reservations.values()];
  const held = all.filter(({ status }) => status === 'HELD');
  const reservation = pickOf(held.length > 0 && pick % 5 > 0 ? held : all, pick);
  if (!reservation) return undefined;
  const request = { body: { reservationId: reservation.id } };
  const userId = otherFan ?? reservation.userId;
  return createBookingRequest(
    context,
    { kind: 'pay', reservation },
    userId,
    action,
    'POST /payments',
    request,
  );
}

function toRefund(action: ActionOf<'refund'>, context: RequestContext): Request | undefined {
  const payment = pickOf([...context.tables.payments.values()], action.pick);
  if (!payment) return undefined;
  const route = 'POST /operator/payments/:id/refund';
  const request = { params: { id: payment.id } };
  return createBookingRequest(context, { kind: 'refund', payment }, OPERATOR, action, route, request);
}

function toChangePolicy({ patch }: ActionOf<'policy'>): Request {
  const request = { params: { id: CONCERT }, body: patch };
  return createRequest({ kind: 'policy', patch }, OPERATOR, (engine) =>
    engine.call('PATCH /operator/concerts/:id/waiting-room', OPERATOR, request),
  );
}

function toMoveClosing({ inMs }: ActionOf<'move closing'>, { nowMs }: RequestContext): Request {
  const salesCloseAt = inMs === null ? null : new Date(nowMs() + inMs).toISOString();
  const request = { params: { id: CONCERT }, body: { salesCloseAt } };
  return createRequest({ kind: 'move closing', salesCloseAt }, OPERATOR, (engine) =>
    engine.call('PATCH /operator/concerts/:id', OPERATOR, request),
  );
}

/** Usually picks a fan with an ACTIVE place, sometimes any. */
function pickFan({ places }: Tables, pick: number): string {
  const active = places.filter(({ status }) => status === 'ACTIVE').map(({ userId }) => userId);
  return pickOf(active.length > 0 && pick % 5 > 0 ? active : FANS, pick) ?? '';
}

const pickOf = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(1, list.length)];

const createRequest = (operation: Operation, userId: string, send: Request['send']): Request => ({
  operation,
  userId,
  placeId: null,
  key: null,
  send,
});

async function done(work: Promise<void>): Promise<Outcome> {
  await work;
  return { status: 204, body: undefined };
}

/** A request that may be sent with a queue token and with an idempotency key. */
function createBookingRequest(
  { tables, tokens, newKey }: RequestContext,
  operation: Operation,
  userId: string,
  { credential = 'access', keyed }: { readonly credential?: Credential; readonly keyed: boolean },
  route: string,
  request: { readonly params?: object; readonly body?: object },
): Request {
  const place = tables.places.findLast(({ id, userId: owner }) => owner === userId && tokens.has(id));
  const placeId = credential === 'queue' && place ? place.id : null;
  const token = (placeId === null ? undefined : tokens.get(placeId)) ?? userId;
  const key = keyed ? newKey() : null;
  const [method = '', path = ''] = route.split(' ');
  const headers = key === null ? {} : { 'idempotency-key': key };
  const full = { ...request, method, url: `${path}${JSON.stringify(request.params ?? '')}`, headers };
  return { operation, userId, placeId, key, send: (engine) => engine.call(route, token, full) };
}
