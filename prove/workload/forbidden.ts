import type { ApiRequest } from '../call-log.js';
import type { Random } from '../random.js';
import type { FanAccount } from '../scenario/scenario.js';
import type { WorkloadContext } from './context.js';
import { holdRequest, type Place, releaseRequest, reservationRequest } from './requests.js';

/** A hold with a place that has ended. */
export function useEndedPlace(ended: Place, { seats }: WorkloadContext, random: Random): ApiRequest {
  const seatIds = seats.contendedSeats(ended.sale, 0).slice(0, 1);
  return { ...holdRequest(ended, 0, random.id(), { seatIds, isBest: false }), isForbidden: true };
}

/** Reads, releases or pays the reservation of another fan. */
export function useForeignReservation(
  reservationId: string,
  account: FanAccount,
  place: Place | undefined,
  random: Random,
): ApiRequest {
  const pay: ApiRequest = {
    operation: 'pay',
    method: 'POST',
    path: '/payments',
    token: place?.token ?? account.accessToken,
    body: { reservationId },
    subjectIds: [reservationId],
    key: random.id(),
  };
  const requests = [
    reservationRequest(reservationId, account),
    releaseRequest(reservationId, account),
    pay,
  ] as const;
  return { ...random.pick(requests), isForbidden: true };
}
