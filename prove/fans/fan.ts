import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.js';
import type { Call, Wish } from '../record.js';
import { type Person, PRICE } from '../sale.js';
import { remember, type Scene } from './scene.js';

const THINK_MIN_MS = 50;
const THINK_MAX_MS = 1200;
const PAUSE_MS = 300;
const SEATS_MAX = 3;
/** How late somebody pays who has let the time run out. */
const LATE_MAX_MS = 1500;

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

/** Somebody who wants seats, and behaves as people do: impatient, forgetful, not always honest. */
export class Fan {
  readonly #index: number;
  readonly #person: Person;
  readonly #scene: Scene;
  readonly #random: Random;
  #place: Place | undefined;
  #hold: Hold | undefined;
  #balance = 0;
  /** Places that are over: nothing may be had with them any more. */
  readonly #oldPlaces: Place[] = [];

  constructor(index: number, person: Person, scene: Scene, random: Random) {
    this.#index = index;
    this.#person = person;
    this.#scene = scene;
    this.#random = random;
  }

  async live(): Promise<void> {
    while (!this.#scene.isOver()) {
      await sleep(this.#random.between(THINK_MIN_MS, THINK_MAX_MS));
      if (!this.#scene.isOver()) await this.#step();
    }
  }

  #step(): Promise<unknown> {
    const place = this.#place;
    if (this.#random.chance(0.02)) return this.#cheat();
    if (!place) return this.#join();
    if (!place.isActive) return this.#wait(place);
    if (this.#hold) return this.#decide(place, this.#hold);
    if (this.#random.chance(0.05)) return this.#leave(place);
    if (this.#random.chance(0.15)) return this.#lookAround(place);
    return this.#reserve(place);
  }

  #ask(wish: Wish, door = this.#random.below(this.#scene.doors)): Promise<Call> {
    return this.#scene.ask(this.#index, door, wish);
  }

  /** Until it is known what came of it, wherever somebody answers. */
  async #insist(wish: Wish): Promise<Call> {
    for (;;) {
      const call = await this.#ask(wish);
      if (call.outcome !== 'unknown' || Date.now() > this.#scene.giveUpAtMs()) return call;
      await sleep(PAUSE_MS * this.#random.between(0.5, 2));
    }
  }

  /** Looks for what they have just done, through another door. */
  async #lookFor(after: Call, wish: Omit<Wish, 'method' | 'after'>): Promise<void> {
    if (after.outcome !== 'ok' || !this.#random.chance(0.4)) return;
    const { doors } = this.#scene;
    const other = (after.door + 1 + this.#random.below(Math.max(1, doors - 1))) % doors;
    const call = await this.#ask({ ...wish, method: 'GET', after }, other);
    if (call.saw.place) this.#stands(call);
  }

  /** Also asked for by those who are in the line already: they must be given the place they have. */
  async #join(): Promise<void> {
    const call = await this.#insist({
      what: 'join',
      method: 'POST',
      path: `/concerts/${this.#scene.sale.concertId}/queue-tokens`,
      token: this.#person.accessToken,
    });
    this.#stands(call);
    if (this.#place) await this.#lookFor(call, this.#poll(this.#place));
  }

  /** Two devices of one person ask at the same moment. */
  async #joinTwice(): Promise<void> {
    await Promise.all([this.#join(), this.#join()]);
  }

  #poll = (place: Place): Omit<Wish, 'method'> => ({
    what: 'poll',
    path: '/queue-tokens/me',
    token: place.token,
    placeId: place.id,
  });

  #stands({ saw: { place } }: Call): void {
    if (!place) return;
    if (place.status === 'DONE' || place.status === 'EXPIRED') {
      this.#over();
      return;
    }
    this.#place = { id: place.id, token: place.token, isActive: place.status === 'ACTIVE' };
  }

  #over(): void {
    if (this.#place) this.#oldPlaces.push(this.#place);
    if (this.#oldPlaces.length > 3) this.#oldPlaces.shift();
    this.#place = undefined;
    this.#hold = undefined;
  }

  async #wait(place: Place): Promise<void> {
    if (this.#random.chance(0.02)) return this.#leave(place);
    if (this.#random.chance(0.05)) return this.#joinTwice();
    // Impatient: refused, unless they have just been let in.
    if (this.#random.chance(0.03)) return this.#reserve(place);
    this.#stands(await this.#ask({ ...this.#poll(place), method: 'GET' }));
  }

  async #leave(place: Place): Promise<void> {
    const call = await this.#insist({ ...this.#poll(place), what: 'leave', method: 'DELETE' });
    if (call.outcome === 'unknown') return;
    this.#over();
    await this.#lookFor(call, this.#poll(place));
  }

  async #lookAround({ id, token }: Place): Promise<void> {
    const { concertId, dates } = this.#scene.sale;
    const gated = { method: 'GET', token, placeId: id } as const;
    if (this.#random.chance(0.7))
      await this.#ask({ ...gated, what: 'dates', path: `/concerts/${concertId}/schedules?all=true` });
    else await this.#ask({ ...gated, what: 'seats', path: `/schedules/${dates[0]?.id ?? ''}/seats` });
  }

  async #reserve(place: Place): Promise<void> {
    const date = this.#random.below(this.#scene.sale.dates.length);
    const scheduleId = this.#scene.sale.dates[date]?.id ?? '';
    const wanted = this.#scene.wantedSeats(date);
    const first = this.#random.below(wanted.length);
    const seatIds = wanted.slice(first, first + 1 + this.#random.below(SEATS_MAX));
    // The order is theirs: two who want the same seats may name them the other way round.
    if (this.#random.chance(0.5)) seatIds.reverse();
    const isBest = this.#random.chance(0.2);
    const gated = { what: 'hold', method: 'POST', token: place.token, placeId: place.id } as const;
    const key = this.#random.id();
    const call = await this.#insist(
      isBest
        ? { ...gated, key, path: '/reservations/best', body: { scheduleId, count: seatIds.length } }
        : { ...gated, key, path: '/reservations', body: { scheduleId, seatIds }, ids: seatIds },
    );
    if (call.code === 'ACCESS_DENIED' && call.reason !== 'NOT_ACTIVE') this.#over();
    const { reservation } = call.saw;
    if (!reservation) return;
    const { id, amount, expiresAtMs } = reservation;
    this.#hold = { id, amount, expiresAtMs, date, seats: reservation.seatIds.length };
    remember(this.#scene, this.#index, id);
    await this.#lookFor(call, this.#reservation(id));
  }

  #reservation = (id: string): Omit<Wish, 'method'> => ({
    what: 'reservation',
    path: `/reservations/${id}`,
    token: this.#person.accessToken,
    ids: [id],
  });

  async #decide(place: Place, hold: Hold): Promise<void> {
    if (this.#random.chance(0.08)) return this.#release(hold);
    // Some try without the money.
    if (this.#balance < hold.amount && this.#random.chance(0.9)) return this.#charge();
    if (this.#random.chance(0.15))
      await sleep(Math.max(0, hold.expiresAtMs - Date.now() + this.#random.between(-300, LATE_MAX_MS)));
    return this.#random.chance(0.1) ? this.#payTwice(place, hold) : this.#pay(place, hold, this.#random.id());
  }

  async #release({ id }: Hold): Promise<void> {
    const call = await this.#insist({ ...this.#reservation(id), what: 'release', method: 'DELETE' });
    if (call.outcome === 'unknown') return;
    this.#hold = undefined;
    await this.#lookFor(call, this.#reservation(id));
  }

  async #charge(): Promise<void> {
    const call = await this.#insist({
      what: 'charge',
      method: 'POST',
      path: '/wallet/charges',
      token: this.#person.accessToken,
      body: { amount: PRICE * (1 + this.#random.below(2 * SEATS_MAX)) },
      key: this.#random.id(),
    });
    if (!call.saw.entry) return;
    this.#balance = call.saw.entry.balanceAfter;
    await this.#lookFor(call, { what: 'wallet', path: '/wallet', token: this.#person.accessToken });
  }

  async #pay(place: Place, hold: Hold, key: string): Promise<void> {
    const call = await this.#insist({
      what: 'pay',
      method: 'POST',
      path: '/payments',
      token: place.token,
      placeId: place.id,
      body: { reservationId: hold.id },
      ids: [hold.id],
      key,
    });
    if (call.outcome === 'refused' && call.code !== 'NOT_ENOUGH_BALANCE') {
      this.#hold = undefined;
      if (call.code === 'ACCESS_DENIED') this.#over();
    }
    const { payment } = call.saw;
    if (!payment) return;
    this.#balance = payment.balanceAfter;
    if (this.#hold === hold) this.#scene.sold(hold.date, hold.seats);
    this.#over();
    const token = this.#person.accessToken;
    await this.#lookFor(call, { what: 'receipt', path: `/payments/${payment.id}`, token, ids: [payment.id] });
  }

  /** Pressed twice: with the key of one press, or each with its own. */
  async #payTwice(place: Place, hold: Hold): Promise<void> {
    const key = this.#random.id();
    const other = this.#random.chance(0.5) ? key : this.#random.id();
    await Promise.all([this.#pay(place, hold, key), this.#pay(place, hold, other)]);
  }

  /** Wants what is not theirs, or what they no longer may. */
  async #cheat(): Promise<void> {
    const token = this.#person.accessToken;
    const [old] = this.#oldPlaces;
    if (old && this.#random.chance(0.4)) {
      const scheduleId = this.#scene.sale.dates[0]?.id ?? '';
      const seatIds = this.#scene.wantedSeats(0).slice(0, 1);
      await this.#ask({
        what: 'hold',
        method: 'POST',
        path: '/reservations',
        token: old.token,
        placeId: old.id,
        body: { scheduleId, seatIds },
        key: this.#random.id(),
        isCheat: true,
      });
      return;
    }
    const foreign = this.#scene.recent.find(({ fan }) => fan !== this.#index)?.reservationId;
    if (foreign === undefined) return;
    const about = { path: `/reservations/${foreign}`, ids: [foreign], isCheat: true };
    const cheats: readonly Wish[] = [
      { ...about, what: 'reservation', method: 'GET', token },
      { ...about, what: 'release', method: 'DELETE', token },
      {
        ...about,
        what: 'pay',
        method: 'POST',
        path: '/payments',
        token: this.#place?.token ?? token,
        body: { reservationId: foreign },
        key: this.#random.id(),
      },
    ];
    await this.#ask(this.#random.pick(cheats));
  }
}
