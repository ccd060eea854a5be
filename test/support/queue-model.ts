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

const GATE_OUTCOMES: Readonly<Record<Status, string>> = {
  WAITING: 'NOT_ACTIVE',
  ACTIVE: 'ADMITTED',
  DONE: 'USED',
  EXPIRED: 'EXPIRED',
  LEFT: 'LEFT',
};

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/**
 * A reference model of the waiting room: a plain list of places in the order of joining, searched from front to back
 * by every method.
 */
export class QueueModel {
  nowMs: number;
  policy: Policy;
  /** All places that have not been purged. */
  places: ModelPlace[] = [];
  #lastNumber = 0;
  readonly #purged: Record<string, number> = { DONE: 0, EXPIRED: 0, LEFT: 0 };
  readonly #admittedAtMs: number[] = [];
  readonly #rankIncreases: string[] = [];

  constructor(nowMs: number, patch: PolicyPatch) {
    this.nowMs = nowMs;
    this.policy = {
      maxActive: 100,
      admitCount: null,
      admitEverySeconds: null,
      activeSeconds: 1800,
      idleSeconds: 300,
      showUpSeconds: null,
      consumeOn: 'PAYMENT',
      holdSeconds: 300,
      maxSeatsPerUser: 4,
      paused: false,
      closeWhenSoldOut: true,
      notice: null,
      ...(patch as Partial<Policy>),
    };
  }

  placeAt(index: number): ModelPlace | undefined {
    return this.places[index % Math.max(1, this.places.length)];
  }

  /** The user's place that is WAITING, or ACTIVE and not expired. */
  liveOf(user: string): ModelPlace | undefined {
    this.expire();
    return this.places.find((place) => place.user === user && ['WAITING', 'ACTIVE'].includes(place.status));
  }

  join(user: string, token: string, number: number): void {
    if (number !== this.#lastNumber + 1)
      throw new Error(`number ${number} was assigned after ${this.#lastNumber}`);
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

  /** When a limit starts at the earliest, in ms. */
  readonly #limitsFrom = { idleSeconds: 0, showUpSeconds: 0 };

  /** Any request of the user restarts the idle time of a place that has not expired. */
  touch(user: string): void {
    this.expire();
    for (const place of this.#withStatus('ACTIVE'))
      if (place.user === user) place.seenAtMs = Math.max(this.nowMs, (place.activatedAtMs ?? 0) + 1);
  }

  leave(place: ModelPlace): void {
    this.expire();
    if (place.status === 'WAITING' || place.status === 'ACTIVE') this.#end(place, 'LEFT');
  }

  consumePlace(place: ModelPlace): ModelOutcome {
    this.expire();
    const reason = this.gateOutcome(place);
    if (reason !== 'ADMITTED') return { status: 403, body: { reason } };
    this.#end(place, 'DONE');
    return { status: 201, body: {} };
  }

  changePolicy(patch: PolicyPatch): void {
    const before = this.policy;
    this.policy = { ...this.policy, ...(patch as Partial<Policy>) };
    // A shorter limit counts from the moment of the change.
    for (const limit of ['idleSeconds', 'showUpSeconds'] as const)
      if ((this.policy[limit] ?? Infinity) < (before[limit] ?? Infinity))
        this.#limitsFrom[limit] = this.nowMs;
  }

  /** Expires a place permanently from the instant one of its time limits ends. */
  expire(): void {
    const endOf = (limit: 'idleSeconds' | 'showUpSeconds', fromMs: number): number =>
      Math.max(fromMs, this.#limitsFrom[limit]) + (this.policy[limit] ?? Infinity) * SECOND_MS;
    for (const place of this.#withStatus('ACTIVE')) {
      const { seenAtMs, activatedAtMs, expiresAtMs } = place;
      const hasShownUp = seenAtMs !== activatedAtMs;
      const endMs = Math.min(
        expiresAtMs ?? Infinity,
        endOf('idleSeconds', seenAtMs),
        hasShownUp ? Infinity : endOf('showUpSeconds', seenAtMs),
      );
      if (this.nowMs >= endMs) this.#end(place, 'EXPIRED');
    }
  }

  /** Admits places from the front of the queue while a slot is free and the portion of the period is not used up. */
  admit(): void {
    this.expire();
    const { maxActive, admitCount, admitEverySeconds, activeSeconds, paused } = this.policy;
    for (const place of this.#withStatus('WAITING')) {
      const sinceMs = this.nowMs - (admitEverySeconds ?? 0) * SECOND_MS;
      const admittedInPeriod = this.#admittedAtMs.filter((atMs) => atMs > sinceMs).length;
      const isFull = maxActive !== null && this.#withStatus('ACTIVE').length >= maxActive;
      if (paused || isFull || (admitCount !== null && admittedInPeriod >= admitCount)) return;
      place.status = 'ACTIVE';
      place.activatedAtMs = this.nowMs;
      place.expiresAtMs = this.nowMs + activeSeconds * SECOND_MS;
      place.seenAtMs = this.nowMs;
      this.#admittedAtMs.push(this.nowMs);
    }
  }

  /** The time without a server does not count. */
  restart(): void {
    this.#limitsFrom.idleSeconds = this.nowMs;
    this.#limitsFrom.showUpSeconds = this.nowMs;
  }

  /** Removes places that ended more than an hour ago and keeps their count. */
  purgeEnded(): void {
    const old = this.places.filter(({ endedAtMs }) => endedAtMs !== null && endedAtMs < this.nowMs - HOUR_MS);
    for (const { status } of old) this.#purged[status] = (this.#purged[status] ?? 0) + 1;
    this.places = this.places.filter((place) => !old.includes(place));
  }

  pollOutcome(place: ModelPlace): ModelOutcome {
    if (place.status === 'LEFT') return { status: 403, body: { code: 'ACCESS_DENIED', reason: 'LEFT' } };
    const rank = this.#rankOf(place);
    if (place.status === 'WAITING') {
      if (rank > place.lastRank) this.#rankIncreases.push(`${place.user}: ${place.lastRank} to ${rank}`);
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

  /** `ADMITTED`, or the reason of the denial. */
  gateOutcome(place: ModelPlace): string {
    return GATE_OUTCOMES[place.status];
  }

  stats(): Record<string, number> {
    const ended = (status: Status): number => this.#withStatus(status).length + (this.#purged[status] ?? 0);
    return {
      waiting: this.#withStatus('WAITING').length,
      active: this.#withStatus('ACTIVE').length,
      done: ended('DONE'),
      expired: ended('EXPIRED'),
      left: ended('LEFT'),
    };
  }

  rankIncreases(): readonly string[] {
    return this.#rankIncreases;
  }

  #withStatus(status: Status): ModelPlace[] {
    return this.places.filter((place) => place.status === status);
  }

  #end(place: ModelPlace, status: Status): void {
    place.status = status;
    place.endedAtMs = this.nowMs;
  }

  /** 1 + the number of WAITING places that joined earlier. */
  #rankOf(place: ModelPlace): number {
    if (place.status !== 'WAITING') return 0;
    return 1 + this.#withStatus('WAITING').filter(({ number }) => number < place.number).length;
  }
}
