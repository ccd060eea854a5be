import type { Policy, PolicyPatch } from '../../src/waiting-room/index.js';

const SECOND_MS = 1000;
const HOUR_MS = 3600 * SECOND_MS;

type Status = 'WAITING' | 'ACTIVE' | 'DONE' | 'EXPIRED' | 'LEFT';

export interface ModelPlace {
  readonly user: string;
  readonly token: string;
  readonly number: number;
  readonly joinedAtMs: number;
  status: Status;
  activatedAtMs: number | null;
  expiresAtMs: number | null;
  seenAtMs: number;
  endedAtMs: number | null;
  lastRank: number;
}

export interface ModelOutcome {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

const WHY_NOT: Readonly<Record<Status, string>> = {
  WAITING: 'NOT_ACTIVE',
  ACTIVE: 'IN',
  DONE: 'USED',
  EXPIRED: 'EXPIRED',
  LEFT: 'LEFT',
};

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/**
 * A waiting room as the contract describes it, as simply as it can be said: a list of places in the order of joining,
 * looked through from front to back for every question.
 */
export class LineModel {
  nowMs: number;
  policy: Policy;
  /** Those that can still be asked about. */
  places: ModelPlace[] = [];
  #lastNumber = 0;
  readonly #forgotten: Record<string, number> = { DONE: 0, EXPIRED: 0, LEFT: 0 };
  readonly #admittedAtMs: number[] = [];
  readonly #grown: string[] = [];

  constructor(nowMs: number, patch: PolicyPatch) {
    this.nowMs = nowMs;
    this.policy = {
      maxActive: 100,
      admitCount: null,
      admitEverySeconds: null,
      activeSeconds: 1800,
      idleSeconds: 300,
      consumeOn: 'PAYMENT',
      holdSeconds: 300,
      maxSeatsPerUser: 4,
      paused: false,
      ...(patch as Partial<Policy>),
    };
  }

  pick(number: number): ModelPlace | undefined {
    return this.places[number % Math.max(1, this.places.length)];
  }

  /** The user's place that is WAITING, or ACTIVE and has not run out. */
  liveOf(user: string): ModelPlace | undefined {
    this.expire();
    return this.places.find((place) => place.user === user && ['WAITING', 'ACTIVE'].includes(place.status));
  }

  join(user: string, token: string, number: number): void {
    if (number !== this.#lastNumber + 1)
      throw new Error(`number ${number} was given after ${this.#lastNumber}`);
    this.#lastNumber = number;
    this.places.push({
      user,
      token,
      number,
      joinedAtMs: this.nowMs,
      status: 'WAITING',
      activatedAtMs: null,
      expiresAtMs: null,
      seenAtMs: 0,
      endedAtMs: null,
      lastRank: Infinity,
    });
  }

  /** A request of any kind keeps what has not run out from idling. */
  touch(user: string): void {
    this.expire();
    for (const place of this.#in('ACTIVE')) if (place.user === user) place.seenAtMs = this.nowMs;
  }

  leave(place: ModelPlace): void {
    this.expire();
    if (place.status === 'WAITING' || place.status === 'ACTIVE') this.#end(place, 'LEFT');
  }

  consumePlace(place: ModelPlace): ModelOutcome {
    this.expire();
    const reason = this.enter(place);
    if (reason !== 'IN') return { status: 403, body: { reason } };
    this.#end(place, 'DONE');
    return { status: 201, body: {} };
  }

  changePolicy(patch: PolicyPatch): void {
    const before = this.policy.idleSeconds ?? Infinity;
    this.policy = { ...this.policy, ...(patch as Partial<Policy>) };
    // A shorter idle time counts from now on.
    if ((this.policy.idleSeconds ?? Infinity) < before)
      for (const place of this.#in('ACTIVE')) place.seenAtMs = this.nowMs;
  }

  /** From the instant its lifetime or its idle time runs out, a place is gone for good. */
  expire(): void {
    const { idleSeconds } = this.policy;
    for (const place of this.#in('ACTIVE')) {
      const idleAtMs = idleSeconds === null ? Infinity : place.seenAtMs + idleSeconds * SECOND_MS;
      if (this.nowMs >= Math.min(place.expiresAtMs ?? Infinity, idleAtMs)) this.#end(place, 'EXPIRED');
    }
  }

  /** Lets in the first of the line, one by one, while there is room and the period's portion lasts. */
  admit(): void {
    this.expire();
    const { maxActive, admitCount, admitEverySeconds, activeSeconds, paused } = this.policy;
    for (const place of this.#in('WAITING')) {
      const sinceMs = this.nowMs - (admitEverySeconds ?? 0) * SECOND_MS;
      const lately = this.#admittedAtMs.filter((atMs) => atMs > sinceMs).length;
      const isFull = maxActive !== null && this.#in('ACTIVE').length >= maxActive;
      if (paused || isFull || (admitCount !== null && lately >= admitCount)) return;
      place.status = 'ACTIVE';
      place.activatedAtMs = this.nowMs;
      place.expiresAtMs = this.nowMs + activeSeconds * SECOND_MS;
      place.seenAtMs = this.nowMs;
      this.#admittedAtMs.push(this.nowMs);
    }
  }

  /** Nobody could be seen while the server was down. */
  restarted(): void {
    for (const place of this.#in('ACTIVE')) place.seenAtMs = this.nowMs;
  }

  /** What ended more than an hour ago need not be remembered, only counted. */
  forget(): void {
    const old = this.places.filter(({ endedAtMs }) => endedAtMs !== null && endedAtMs < this.nowMs - HOUR_MS);
    for (const { status } of old) this.#forgotten[status] = (this.#forgotten[status] ?? 0) + 1;
    this.places = this.places.filter((place) => !old.includes(place));
  }

  describe(place: ModelPlace): ModelOutcome {
    if (place.status === 'LEFT') return { status: 403, body: { code: 'ACCESS_DENIED', reason: 'LEFT' } };
    const rank = this.#rankOf(place);
    if (place.status === 'WAITING') {
      if (rank > place.lastRank) this.#grown.push(`${place.user}: ${place.lastRank} to ${rank}`);
      place.lastRank = rank;
    }
    return {
      status: 200,
      body: {
        token: place.token,
        status: place.status,
        rank,
        ahead: Math.max(0, rank - 1),
        joinedAt: isoOrNull(place.joinedAtMs),
        activatedAt: isoOrNull(place.activatedAtMs),
        expiresAt: isoOrNull(place.expiresAtMs),
      },
    };
  }

  /** `IN`, or why not. */
  enter(place: ModelPlace): string {
    return WHY_NOT[place.status];
  }

  stats(): Record<string, number> {
    const ended = (status: Status): number => this.#in(status).length + (this.#forgotten[status] ?? 0);
    return {
      waiting: this.#in('WAITING').length,
      active: this.#in('ACTIVE').length,
      done: ended('DONE'),
      expired: ended('EXPIRED'),
      left: ended('LEFT'),
    };
  }

  ranksThatGrew(): readonly string[] {
    return this.#grown;
  }

  #in(status: Status): ModelPlace[] {
    return this.places.filter((place) => place.status === status);
  }

  #end(place: ModelPlace, status: Status): void {
    place.status = status;
    place.endedAtMs = this.nowMs;
  }

  /** 1 + the number of WAITING places that joined earlier. */
  #rankOf(place: ModelPlace): number {
    if (place.status !== 'WAITING') return 0;
    return 1 + this.#in('WAITING').filter(({ number }) => number < place.number).length;
  }
}
