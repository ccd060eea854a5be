import type { ApiRequest, Call } from '../call-log.js';
import type { Random } from '../random.js';
import type { Sale, Scenario } from '../scenario/scenario.js';
import type { SeatMarket } from './seat-market.js';

/** Bounds what fans remember of each other, so that memory stays flat in a long run. */
const RECENT_MAX = 50;

export interface RecentPayment {
  readonly paymentId: string;
  readonly sale: Sale;
  readonly date: number;
  readonly seats: number;
}

/** What everyone in a workload shares. */
export interface WorkloadContext {
  readonly scenario: Scenario;
  readonly processCount: number;
  /** Sends the request to one process and logs the call. */
  send(fan: number, processIndex: number, request: ApiRequest): Promise<Call>;
  /** A sale to join next. Closed ones are picked too, until a while after they have closed. */
  pickSale(random: Random): Sale;
  readonly seats: SeatMarket;
  /** Used to attempt access to the reservations of other fans. */
  readonly recentReservations: { readonly fan: number; readonly reservationId: string }[];
  /** Some of them are refunded. */
  readonly recentPayments: RecentPayment[];
  isStopped(): boolean;
  /** After this time, nobody retries requests with an unknown outcome. */
  giveUpAtMs(): number;
}

export function remember<T>(recent: T[], item: T): void {
  recent.push(item);
  if (recent.length > RECENT_MAX) recent.shift();
}
