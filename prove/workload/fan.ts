import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiRequest, Call } from '../call-log.js';
import type { Random } from '../random.js';
import { type FanAccount, PRICE } from '../sale.js';
import { rememberReservation, type WorkloadContext } from './context.js';

const THINK_MIN_MS = 50;
const THINK_MAX_MS = 1200;
const RETRY_DELAY_MS = 300;
const SEATS_MAX = 3;
/** How long after the hold expires a late fan tries to pay, at most. */
const LATE_MAX_MS = 1500;
/** How long before the hold expires a late fan tries to pay, at most. */
const EARLY_MAX_MS = 300;
const ENDED_PLACES_MAX = 3;

interface Place {
  readonly id: string;
  readonly token: string;
  isActive: boolean;
}

interface Hold {
  readonly id: string;
  readonly amount: number;
  readonly expiresAtMs: number;
  readonly date: number;
  readonly seats: number;
}

/**
 * One simulated fan: joins the queue, waits, reserves and pays, with random detours (leaves, pays late or twice, sends
 * requests that the server must refuse). A request with an unknown outcome is retried with the same key until it is known.
 */
export class Fan {
  readonly #index: number;
  readonly #account: FanAccount;
  readonly #context: WorkloadContext;
  readonly #random: Random;
  #place: Place | undefined;
  #hold: Hold | undefined;
  #balance = 0;
  /** The server must refuse every gated request made with one of these. */
  readonly #endedPlaces: Place[] = [];

  constructor(index: number, account: FanAccount, context: WorkloadContext, random: Random) {
    this.#index = index;
    this.#account = account;
    this.#context = context;
    this.#random = random;
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
    if (!place) return this.#join();
    if (!place.isActive) return this.#wait(place);
    if (this.#hold) return this.#payOrRelease(place, this.#hold);
    if (this.#random.chance(0.05)) return this.#leave(place);
    if (this.#random.chance(0.15)) return this.#browse(place);
    return this.#reserve(place);
  }

  #send(request: ApiRequest, processIndex = this.#random.below(this.#context.processCount)): Promise<Call> {
    return this.#context.send(this.#index, processIndex, request);
  }

  /** Retries, each time on a random process, until the outcome is known or it is time to give up. */
  async #sendUntilKnown(request: ApiRequest): Promise<Call> {
    for (;;) {
      const call = await this.#send(request);
      if (call.outcome !== 'unknown' || Date.now() > this.#context.giveUpAtMs()) return call;
      await sleep(RETRY_DELAY_MS * this.#random.between(0.5, 2));
    }
  }

  /** Sometimes reads what was just written, from another process. */
  async #readBack(write: Call, read: Omit<ApiRequest, 'method' | 'readsAfter'>): Promise<void> {
    if (write.outcome !== 'ok' || !this.#random.chance(0.4)) return;
    const { processCount } = this.#context;
    const other = (write.processIndex + 1 + this.#random.below(Math.max(1, processCount - 1))) % processCount;
    const call = await this.#send({ ...read, method: 'GET', readsAfter: write }, other);
    if (call.observed.place) this.#updatePlace(call);
  }

  /** A fan who already has a live place must get that same place. */
  async #join(): Promise<void> {
    const call = await this.#sendUntilKnown({
      operation: 'join',
      method: 'POST',
      path: `/concerts/${this.#context.sale.concertId}/queue-tokens`,
      token: this.#account.accessToken,
    });
    this.#updatePlace(call);
    if (this.#place) await this.#readBack(call, this.#poll(this.#place));
  }

  /** Two devices of one fan join concurrently. */
  async #joinTwice(): Promise<void> {
    await Promise.all([this.#join(), this.#join()]);
  }

  #poll = (place: Place): Omit<ApiRequest, 'method'> => ({
    operation: 'poll',
    path: '/queue-tokens/me',
    token: place.token,
    placeId: place.id,
  });

  #updatePlace({ observed: { place } }: Call): void {
    if (!place) return;
    if (place.status === 'DONE' || place.status === 'EXPIRED') {
      this.#endPlace();
      return;
    }
    this.#place = { id: place.id, token: place.token, isActive: place.status === 'ACTIVE' };
  }

  #endPlace(): void {
    if (this.#place) this.#endedPlaces.push(this.#place);
    if (this.#endedPlaces.length > ENDED_PLACES_MAX) this.#endedPlaces.shift();
    this.#place = undefined;
    this.#hold = undefined;
  }

  async #wait(place: Place): Promise<void> {
    if (this.#random.chance(0.02)) return this.#leave(place);
    if (this.#random.chance(0.05)) return this.#joinTwice();
    // Before admission: refused, unless the place has just become ACTIVE.
    if (this.#random.chance(0.03)) return this.#reserve(place);
    this.#updatePlace(await this.#send({ ...this.#poll(place), method: 'GET' }));
  }

  async #leave(place: Place): Promise<void> {
    const call = await this.#sendUntilKnown({ ...this.#poll(place), operation: 'leave', method: 'DELETE' });
    if (call.outcome === 'unknown') return;
    this.#endPlace();
    await this.#readBack(call, this.#poll(place));
  }

  async #browse({ id, token }: Place): Promise<void> {
    const { concertId, dates } = this.#context.sale;
    const gated = { method: 'GET', token, placeId: id } as const;
    if (this.#random.chance(0.7))
      await this.#send({ ...gated, operation: 'dates', path: `/concerts/${concertId}/schedules?all=true` });
    else await this.#send({ ...gated, operation: 'seats', path: `/schedules/${dates[0]?.id ?? ''}/seats` });
  }

  async #reserve(place: Place): Promise<void> {
    const date = this.#random.below(this.#context.sale.dates.length);
    const scheduleId = this.#context.sale.dates[date]?.id ?? '';
    const wanted = this.#context.contendedSeats(date);
    const first = this.#random.below(wanted.length);
    const seatIds = wanted.slice(first, first + 1 + this.#random.below(SEATS_MAX));
    // Two fans may name the same seats in opposite order, which must not deadlock.
    if (this.#random.chance(0.5)) seatIds.reverse();
    const isBest = this.#random.chance(0.2);
    const gated = { operation: 'hold', method: 'POST', token: place.token, placeId: place.id } as const;
    const key = this.#random.id();
    const call = await this.#sendUntilKnown(
      isBest
        ? { ...gated, key, path: '/reservations/best', body: { scheduleId, count: seatIds.length } }
        : { ...gated, key, path: '/reservations', body: { scheduleId, seatIds }, subjectIds: seatIds },
    );
    if (call.code === 'ACCESS_DENIED' && call.reason !== 'NOT_ACTIVE') this.#endPlace();
    const { reservation } = call.observed;
    if (!reservation) return;
    const { id, amount, expiresAtMs } = reservation;
    this.#hold = { id, amount, expiresAtMs, date, seats: reservation.seatIds.length };
    rememberReservation(this.#context, this.#index, id);
    await this.#readBack(call, this.#reservation(id));
  }

  #reservation = (id: string): Omit<ApiRequest, 'method'> => ({
    operation: 'reservation',
    path: `/reservations/${id}`,
    token: this.#account.accessToken,
    subjectIds: [id],
  });

  async #payOrRelease(place: Place, hold: Hold): Promise<void> {
    if (this.#random.chance(0.08)) return this.#release(hold);
    // Otherwise tries to pay without enough balance.
    if (this.#balance < hold.amount && this.#random.chance(0.9)) return this.#charge();
    if (this.#random.chance(0.15))
      await sleep(
        Math.max(0, hold.expiresAtMs - Date.now() + this.#random.between(-EARLY_MAX_MS, LATE_MAX_MS)),
      );
    return this.#random.chance(0.1) ? this.#payTwice(place, hold) : this.#pay(place, hold, this.#random.id());
  }

  async #release({ id }: Hold): Promise<void> {
    const call = await this.#sendUntilKnown({
      ...this.#reservation(id),
      operation: 'release',
      method: 'DELETE',
    });
    if (call.outcome === 'unknown') return;
    this.#hold = undefined;
    await this.#readBack(call, this.#reservation(id));
  }

  async #charge(): Promise<void> {
    const call = await this.#sendUntilKnown({
      operation: 'charge',
      method: 'POST',
      path: '/wallet/charges',
      token: this.#account.accessToken,
      body: { amount: PRICE * (1 + this.#random.below(2 * SEATS_MAX)) },
      key: this.#random.id(),
    });
    if (!call.observed.entry) return;
    this.#balance = call.observed.entry.balanceAfter;
    await this.#readBack(call, { operation: 'wallet', path: '/wallet', token: this.#account.accessToken });
  }

  async #pay(place: Place, hold: Hold, key: string): Promise<void> {
    const call = await this.#sendUntilKnown({
      operation: 'pay',
      method: 'POST',
      path: '/payments',
      token: place.token,
      placeId: place.id,
      body: { reservationId: hold.id },
      subjectIds: [hold.id],
      key,
    });
    if (call.outcome === 'refused' && call.code !== 'NOT_ENOUGH_BALANCE') {
      this.#hold = undefined;
      if (call.code === 'ACCESS_DENIED') this.#endPlace();
    }
    const { payment } = call.observed;
    if (!payment) return;
    this.#balance = payment.balanceAfter;
    if (this.#hold === hold) this.#context.recordSale(hold.date, hold.seats);
    this.#endPlace();
    const token = this.#account.accessToken;
    await this.#readBack(call, {
      operation: 'receipt',
      path: `/payments/${payment.id}`,
      token,
      subjectIds: [payment.id],
    });
  }

  /** Two concurrent payments of one hold, with the same key or with two. */
  async #payTwice(place: Place, hold: Hold): Promise<void> {
    const key = this.#random.id();
    const other = this.#random.chance(0.5) ? key : this.#random.id();
    await Promise.all([this.#pay(place, hold, key), this.#pay(place, hold, other)]);
  }

  /** Uses an ended place, or the reservation of another fan. */
  async #tryForbidden(): Promise<void> {
    const token = this.#account.accessToken;
    const [ended] = this.#endedPlaces;
    if (ended && this.#random.chance(0.4)) {
      const scheduleId = this.#context.sale.dates[0]?.id ?? '';
      const seatIds = this.#context.contendedSeats(0).slice(0, 1);
      await this.#send({
        operation: 'hold',
        method: 'POST',
        path: '/reservations',
        token: ended.token,
        placeId: ended.id,
        body: { scheduleId, seatIds },
        key: this.#random.id(),
        isForbidden: true,
      });
      return;
    }
    const foreign = this.#context.recentReservations.find(({ fan }) => fan !== this.#index)?.reservationId;
    if (foreign === undefined) return;
    const about = { path: `/reservations/${foreign}`, subjectIds: [foreign], isForbidden: true };
    const requests: readonly ApiRequest[] = [
      { ...about, operation: 'reservation', method: 'GET', token },
      { ...about, operation: 'release', method: 'DELETE', token },
      {
        ...about,
        operation: 'pay',
        method: 'POST',
        path: '/payments',
        token: this.#place?.token ?? token,
        body: { reservationId: foreign },
        key: this.#random.id(),
      },
    ];
    await this.#send(this.#random.pick(requests));
  }
}
