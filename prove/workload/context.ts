import type { ApiRequest, Call } from '../call-log.js';
import type { Sale } from '../sale.js';

const RECENT_MAX = 50;

/** What all fans of a workload share. */
export interface WorkloadContext {
  readonly sale: Sale;
  readonly processCount: number;
  /** Sends the request to one process and logs the call. */
  send(fan: number, processIndex: number, request: ApiRequest): Promise<Call>;
  /** The seats of a date that fans currently compete for. */
  contendedSeats(date: number): readonly string[];
  recordSale(date: number, seats: number): void;
  /** Used to attempt access to the reservations of other fans. */
  readonly recentReservations: { readonly fan: number; readonly reservationId: string }[];
  isStopped(): boolean;
  /** After this time, fans stop retrying requests with an unknown outcome. */
  giveUpAtMs(): number;
}

export function rememberReservation(
  { recentReservations }: WorkloadContext,
  fan: number,
  reservationId: string,
): void {
  recentReservations.push({ fan, reservationId });
  if (recentReservations.length > RECENT_MAX) recentReservations.shift();
}
