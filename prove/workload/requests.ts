import type { ApiRequest } from '../call-log.js';
import type { FanAccount, Sale } from '../scenario/scenario.js';

/** A fan's place in the queue of one sale. */
export interface Place {
  readonly id: string;
  readonly token: string;
  readonly sale: Sale;
  isActive: boolean;
}

/** Seats that a fan has reserved and not paid. */
export interface Hold {
  readonly id: string;
  readonly amount: number;
  readonly expiresAtMs: number;
  readonly place: Place;
  readonly date: number;
  readonly seats: number;
}

export const joinRequest = ({ concertId }: Sale, { accessToken }: FanAccount): ApiRequest => ({
  operation: 'join',
  method: 'POST',
  path: `/concerts/${concertId}/queue-tokens`,
  token: accessToken,
  concertId,
});

export const pollRequest = ({ id, token, sale }: Place): ApiRequest => ({
  operation: 'poll',
  method: 'GET',
  path: '/queue-tokens/me',
  token,
  placeId: id,
  concertId: sale.concertId,
});

export const leaveRequest = (place: Place): ApiRequest => ({
  ...pollRequest(place),
  operation: 'leave',
  method: 'DELETE',
});

/** Either named seats or the best ones. */
export function holdRequest(
  { id, token, sale }: Place,
  date: number,
  key: string,
  wanted: { readonly seatIds: readonly string[]; readonly isBest: boolean },
): ApiRequest {
  const scheduleId = sale.dates[date]?.id ?? '';
  const { seatIds, isBest } = wanted;
  const gated = { operation: 'hold', method: 'POST', token, placeId: id, concertId: sale.concertId } as const;
  return isBest
    ? { ...gated, key, path: '/reservations/best', body: { scheduleId, count: seatIds.length } }
    : { ...gated, key, path: '/reservations', body: { scheduleId, seatIds }, subjectIds: seatIds };
}

export const reservationRequest = (id: string, { accessToken }: FanAccount): ApiRequest => ({
  operation: 'reservation',
  method: 'GET',
  path: `/reservations/${id}`,
  token: accessToken,
  subjectIds: [id],
});

export const releaseRequest = (id: string, account: FanAccount): ApiRequest => ({
  ...reservationRequest(id, account),
  operation: 'release',
  method: 'DELETE',
});

/** Where the hold has consumed the place, paying needs none, and the access token serves. */
export function payRequest({ id, place }: Hold, { accessToken }: FanAccount, key: string): ApiRequest {
  const { concertId, policy } = place.sale;
  const payment = {
    operation: 'pay',
    method: 'POST',
    path: '/payments',
    concertId,
    body: { reservationId: id },
    subjectIds: [id],
    key,
  } as const;
  return policy.consumeOn === 'PAYMENT'
    ? { ...payment, token: place.token, placeId: place.id }
    : { ...payment, token: accessToken };
}

export const receiptRequest = (paymentId: string, { accessToken }: FanAccount): ApiRequest => ({
  operation: 'receipt',
  method: 'GET',
  path: `/payments/${paymentId}`,
  token: accessToken,
  subjectIds: [paymentId],
});
