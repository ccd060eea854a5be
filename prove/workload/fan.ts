import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiRequest, Call } from '../call-log.js';
import type { Random } from '../random.js';
import { type FanAccount, PRICE } from '../scenario/scenario.js';
import { Caller } from './caller.js';
import { remember, type WorkloadContext } from './context.js';
import { useEndedPlace, useForeignReservation } from './forbidden.js';
import * as requests from './requests.js';
import type { Hold, Place } from './requests.js';

const THINK_MIN_MS = 50;
const THINK_MAX_MS = 1200;
const SEATS_MAX = 3;
/** How long after the hold expires a late fan tries to pay, at most. */
const LATE_MAX_MS = 1500;
/** How long before the hold expires a late fan tries to pay, at most. */
const EARLY_MAX_MS = 300;
const ENDED_PLACES_MAX = 3;
const PAYMENTS_MAX = 3;
/** How much longer than `idleSeconds` a fan who falls asleep makes no request. */
const OVERSLEEP_MIN_MS = 400;
const OVERSLEEP_MAX_MS = 1500;
const SECOND_MS = 1000;

/** Codes after which a fan gives up on a sale. */
const SALE_ENDED_CODES = new Set(['SCHEDULE_CLOSED', 'SALES_CLOSED']);

/**
 * One simulated fan: joins the queue of one sale after another, waits, reserves and pays, with random detours (leaves,
 * falls asleep, pays late or twice, sends requests that the server must refuse). A request with an unknown outcome is
 * retried with the same key until it is known.
 */
export class Fan {
  readonly #index: number;
  readonly #account: FanAccount;
  readonly #context: WorkloadContext;
  readonly #random: Random;
  readonly #caller: Caller;
  #place: Place | undefined;
  #hold: Hold | undefined;
  #balance = 0;
  /** The server must refuse every gated request made with one of these. */
  readonly #endedPlaces: Place[] = [];
  readonly #payments: string[] = [];

  constructor(index: number, account: FanAccount, context: WorkloadContext, random: Random) {
    this.#index = index;
    this.#account = account;
    this.#context = context;
    this.#random = random;
    this.#caller = new Caller(index, context, random);
  }

  async run(): Promise<void> {
    while (!this.#context.isStopped()) {
      await sleep(this.#random.between(THINK_MIN_MS, THINK_MAX_MS));
      if (!this.#context.isStopped()) await this.#step();
    }
  }

  #step(): Promise<unknown> {
    const place = this.#place;
    if (this.#random.chance(0.02)) return this.#tryForbidden();
    if (this.#random.chance(0.03)) return this.#readReceipt();
    if (this.#hold) return this.#payOrRelease(this.#hold);
    if (!place) return this.#join();
    if (!place.isActive) return this.#wait(place);
    const { idleSeconds } = place.sale.policy;
    if (idleSeconds !== null && this.#random.chance(0.15)) return this.#oversleep(place, idleSeconds);
    if (this.#random.chance(0.05)) return this.#leave(place);
    if (this.#random.chance(0.15)) return this.#browse(place);
    return this.#reserve(place);
  }

  /** Sometimes reads what was just written, from another process. */
  async #readBack(write: Call, read: ApiRequest): Promise<void> {
    if (write.outcome !== 'ok' || !this.#random.chance(0.4)) return;
    this.#updatePlace(await this.#caller.readBack(write, read));
  }

  /** A fan who already has a live place must get that same place. */
  async #join(sale = this.#context.pickSale(this.#random)): Promise<void> {
    const call = await this.#caller.sendUntilKnown(requests.joinRequest(sale, this.#account));
    const { place } = call.observed;
    if (place) this.#place = { id: place.id, token: place.token, sale, isActive: false };
    this.#updatePlace(call);
    if (this.#place) await this.#readBack(call, requests.pollRequest(this.#place));
  }

  #updatePlace({ observed: { place } }: Call): void {
    if (!place || place.id !== this.#place?.id) return;
    this.#place.isActive = place.status === 'ACTIVE';
    if (place.status !== 'WAITING' && place.status !== 'ACTIVE') this.#endPlace();
  }

  /** A hold that has consumed its place can still be paid. */
  #endPlace(): void {
    if (this.#place) this.#endedPlaces.push(this.#place);
    if (this.#endedPlaces.length > ENDED_PLACES_MAX) this.#endedPlaces.shift();
    this.#place = undefined;
    if (this.#hold?.place.sale.policy.consumeOn === 'PAYMENT') this.#hold = undefined;
  }

  async #wait(place: Place): Promise<void> {
    if (this.#random.chance(0.02)) return this.#leave(place);
    // Two devices of one fan join concurrently.
    if (this.#random.chance(0.05)) {
      await Promise.all([this.#join(place.sale), this.#join(place.sale)]);
      return;
    }
    // Before admission: refused, unless the place has just become ACTIVE.
    if (this.#random.chance(0.03)) return this.#reserve(place);
    this.#updatePlace(await this.#caller.send(requests.pollRequest(place)));
  }

  /** Makes no request for so long that the place expires, and then finds out. */
  async #oversleep(place: Place, idleSeconds: number): Promise<void> {
    this.#updatePlace(await this.#caller.send(requests.pollRequest(place)));
    if (!this.#place) return;
    await sleep(idleSeconds * SECOND_MS + this.#random.between(OVERSLEEP_MIN_MS, OVERSLEEP_MAX_MS));
    this.#updatePlace(await this.#caller.send(requests.pollRequest(place)));
  }

  async #leave(place: Place): Promise<void> {
    const call = await this.#caller.sendUntilKnown(requests.leaveRequest(place));
    if (call.outcome === 'unknown') return;
    this.#endPlace();
    await this.#readBack(call, requests.pollRequest(place));
  }

  async #browse({ id, token, sale }: Place): Promise<void> {
    const { concertId, dates } = sale;
    const gated = { method: 'GET', token, placeId: id, concertId } as const;
    if (this.#random.chance(0.7))
      await this.#caller.send({
        ...gated,
        operation: 'dates',
        path: `/concerts/${concertId}/schedules?all=true`,
      });
    else
      await this.#caller.send({
        ...gated,
        operation: 'seats',
        path: `/schedules/${dates[0]?.id ?? ''}/seats`,
      });
  }

  async #reserve(place: Place): Promise<void> {
    const { sale } = place;
    const date = this.#random.below(sale.dates.length);
    const wanted = this.#context.seats.contendedSeats(sale, date);
    const first = this.#random.below(wanted.length);
    const seatIds = wanted.slice(first, first + 1 + this.#random.below(SEATS_MAX));
    // Two fans may name the same seats in opposite order, which must not deadlock.
    if (this.#random.chance(0.5)) seatIds.reverse();
    const isBest = this.#random.chance(0.2);
    const call = await this.#caller.sendUntilKnown(
      requests.holdRequest(place, date, this.#random.id(), { seatIds, isBest }),
    );
    if (call.code === 'ACCESS_DENIED' && call.reason !== 'NOT_ACTIVE') this.#endPlace();
    if (SALE_ENDED_CODES.has(call.code) && this.#random.chance(0.3)) return this.#leave(place);
    const { reservation } = call.observed;
    if (!reservation) return;
    const { id, amount, expiresAtMs } = reservation;
    this.#hold = { id, amount, expiresAtMs, place, date, seats: reservation.seatIds.length };
    if (sale.policy.consumeOn === 'RESERVATION') this.#endPlace();
    remember(this.#context.recentReservations, { fan: this.#index, reservationId: id });
    await this.#readBack(call, requests.reservationRequest(id, this.#account));
  }

  async #payOrRelease(hold: Hold): Promise<void> {
    if (this.#random.chance(0.08)) return this.#release(hold);
    // Otherwise tries to pay without enough balance.
    if (this.#balance < hold.amount && this.#random.chance(0.9)) return this.#charge();
    if (this.#random.chance(0.15))
      await sleep(
        Math.max(0, hold.expiresAtMs - Date.now() + this.#random.between(-EARLY_MAX_MS, LATE_MAX_MS)),
      );
    if (!this.#random.chance(0.1)) return this.#pay(hold, this.#random.id());
    // Two concurrent payments of one hold, with the same key or with two.
    const key = this.#random.id();
    const other = this.#random.chance(0.5) ? key : this.#random.id();
    await Promise.all([this.#pay(hold, key), this.#pay(hold, other)]);
  }

  async #release({ id }: Hold): Promise<void> {
    const call = await this.#caller.sendUntilKnown(requests.releaseRequest(id, this.#account));
    if (call.outcome === 'unknown') return;
    this.#hold = undefined;
    await this.#readBack(call, requests.reservationRequest(id, this.#account));
  }

  async #charge(): Promise<void> {
    const { accessToken: token } = this.#account;
    const call = await this.#caller.sendUntilKnown({
      operation: 'charge',
      method: 'POST',
      path: '/wallet/charges',
      token,
      body: { amount: PRICE * (1 + this.#random.below(2 * SEATS_MAX)) },
      key: this.#random.id(),
    });
    if (!call.observed.entry) return;
    this.#balance = call.observed.entry.balanceAfter;
    await this.#readBack(call, { operation: 'wallet', method: 'GET', path: '/wallet', token });
  }

  async #pay(hold: Hold, key: string): Promise<void> {
    const call = await this.#caller.sendUntilKnown(requests.payRequest(hold, this.#account, key));
    if (call.outcome === 'refused' && call.code !== 'NOT_ENOUGH_BALANCE') {
      this.#hold = undefined;
      if (call.code === 'ACCESS_DENIED') this.#endPlace();
    }
    const { payment } = call.observed;
    if (!payment) return;
    this.#balance = payment.balanceAfter;
    if (this.#hold === hold) this.#recordPayment(payment.id, hold);
    this.#hold = undefined;
    if (this.#place === hold.place) this.#endPlace();
    await this.#readBack(call, requests.receiptRequest(payment.id, this.#account));
  }

  #recordPayment(paymentId: string, { place: { sale }, date, seats }: Hold): void {
    this.#context.seats.recordSold(sale, date, seats);
    remember(this.#context.recentPayments, { paymentId, sale, date, seats });
    this.#payments.push(paymentId);
    if (this.#payments.length > PAYMENTS_MAX) this.#payments.shift();
  }

  /** It may have been refunded. */
  async #readReceipt(): Promise<void> {
    if (this.#payments.length === 0) return;
    const paymentId = this.#random.pick(this.#payments);
    await this.#caller.send(requests.receiptRequest(paymentId, this.#account));
  }

  /** Uses an ended place, or the reservation of another fan. */
  async #tryForbidden(): Promise<void> {
    const [ended] = this.#endedPlaces;
    if (ended && this.#random.chance(0.4)) {
      await this.#caller.send(useEndedPlace(ended, this.#context, this.#random));
      return;
    }
    const foreign = this.#context.recentReservations.find(({ fan }) => fan !== this.#index)?.reservationId;
    if (foreign === undefined) return;
    await this.#caller.send(useForeignReservation(foreign, this.#account, this.#place, this.#random));
  }
}
