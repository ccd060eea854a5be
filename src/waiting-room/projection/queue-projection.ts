import { SECOND_MS } from '../../kernel/time.js';
import { LeftNumbers } from './left-numbers.js';
import { isIdleShorter, type Policy } from '../policy/policy.js';
import { Pace } from './wait-estimate.js';

/** Of the time after which somebody is idle: so long the database may not know that they have been here since. */
const FLUSH_LAG_SHARE = 0.1;

export interface ActivePlace {
  readonly concertId: string;
  readonly placeId: string;
  readonly userId: string;
  readonly number: number;
  readonly joinedAtMs: number;
  readonly activatedAtMs: number;
  readonly expiresAtMs: number;
  /** The last request of any kind; ahead of the database, which hears of it in batches. */
  lastSeenAtMs: number;
  persistedLastSeenAtMs: number;
}

export type PlaceState =
  | { readonly status: 'WAITING'; readonly rank: number }
  | { readonly status: 'ACTIVE'; readonly place: ActivePlace }
  | { readonly status: 'EXPIRED'; readonly place: ActivePlace }
  | { readonly status: 'LEFT' }
  | { readonly status: 'ENDED' }
  | { readonly status: 'UNKNOWN' };

/**
 * What a process keeps of one concert's line, so that a poll needs no database: how far it has been admitted, which
 * numbers further back were given up, and the places that are ACTIVE. It follows commits; it decides nothing that a
 * transaction does not decide again.
 */
export class QueueProjection {
  readonly concertId: string;
  readonly pace = new Pace();
  #policy: Policy;
  #lastNumber: number;
  #admittedThrough: number;
  /** Nobody can be let in before then: the period's portion is used up, or the sale is over. */
  #noAdmissionUntilMs = 0;
  /** Nobody runs out before then: being seen only ever moves a place's end further away. */
  #nextExpiryMs = Infinity;
  /** There is nobody to be kept as seen before then. */
  #nextFlushMs = Infinity;
  /** Counts what moved the line, so that streams know whether to look. */
  #version = 0;
  readonly #left = new LeftNumbers();
  readonly #active = new Map<number, ActivePlace>();

  constructor(concertId: string, policy: Policy, lastNumber: number, admittedThrough: number) {
    this.concertId = concertId;
    this.#policy = policy;
    this.#lastNumber = lastNumber;
    this.#admittedThrough = admittedThrough;
  }

  get policy(): Policy {
    return this.#policy;
  }

  get version(): number {
    return this.#version;
  }

  get activeCount(): number {
    return this.#active.size;
  }

  get lastNumber(): number {
    return this.#lastNumber;
  }

  get waiting(): number {
    return this.#lastNumber - this.#admittedThrough - this.#leftBetween(this.#lastNumber);
  }

  activePlaces(): IterableIterator<ActivePlace> {
    return this.#active.values();
  }

  isActive(number: number): boolean {
    return this.#active.has(number);
  }

  /** Exactly 1 + the number of WAITING places that joined earlier. */
  rankOf(number: number): number {
    return number - this.#admittedThrough - this.#leftBetween(number);
  }

  stateOf(placeId: string, number: number, nowMs: number): PlaceState {
    if (number > this.#lastNumber) return { status: 'UNKNOWN' };
    if (number > this.#admittedThrough) {
      return this.#left.has(number) ? { status: 'LEFT' } : { status: 'WAITING', rank: this.rankOf(number) };
    }
    const place = this.#active.get(number);
    if (place?.placeId !== placeId) return { status: 'ENDED' };
    return { status: this.isExpired(place, nowMs) ? 'EXPIRED' : 'ACTIVE', place };
  }

  /** Lifetime or idle time ran out: gone from that instant, whoever notices. */
  isExpired(place: ActivePlace, nowMs: number): boolean {
    return this.#endOf(place) <= nowMs;
  }

  touch(place: ActivePlace, nowMs: number): void {
    if (this.isExpired(place, nowMs) || nowMs <= place.lastSeenAtMs) return;
    place.lastSeenAtMs = nowMs;
    this.#nextFlushMs = Math.min(this.#nextFlushMs, this.#flushDueAtMs(place));
  }

  /**
   * Places whose owners have been here since the database was told, a while ago: it need not hear of every request, only
   * early enough not to find anybody idle. None where nobody can idle out.
   */
  dueForFlush(nowMs: number): ActivePlace[] {
    if (this.#policy.idleSeconds === null || nowMs < this.#nextFlushMs) return [];
    const due: ActivePlace[] = [];
    let nextMs = Infinity;
    for (const place of this.#active.values()) {
      const fromMs = this.#flushDueAtMs(place);
      if (fromMs > nowMs) nextMs = Math.min(nextMs, fromMs);
      else if (place.lastSeenAtMs > place.persistedLastSeenAtMs) due.push(place);
    }
    // Until the database has confirmed it, they are due.
    this.#nextFlushMs = due.length > 0 ? 0 : nextMs;
    return due;
  }

  /** When whoever is inside was last heard of, by place. */
  lastSeenTimes(): (readonly [placeId: string, seenAtMs: number])[] {
    return [...this.#active.values()].map(({ placeId, lastSeenAtMs }) => [placeId, lastSeenAtMs]);
  }

  /** The database thinks it has been idle for half of what is allowed, and it has not. */
  isFlushOverdue({ lastSeenAtMs, persistedLastSeenAtMs }: ActivePlace): boolean {
    return lastSeenAtMs - persistedLastSeenAtMs > this.#idleMs / 2;
  }

  /** Heard from the database: some process has heard of the place's owner. */
  recordPersistedLastSeen(number: number, atMs: number): void {
    const place = this.#active.get(number);
    if (!place) return;
    place.lastSeenAtMs = Math.max(place.lastSeenAtMs, atMs);
    place.persistedLastSeenAtMs = Math.max(place.persistedLastSeenAtMs, atMs);
  }

  hasExpired(nowMs: number): boolean {
    if (nowMs < this.#nextExpiryMs) return false;
    this.#nextExpiryMs = Infinity;
    for (const place of this.#active.values()) {
      this.#nextExpiryMs = Math.min(this.#nextExpiryMs, this.#endOf(place));
    }
    return this.#nextExpiryMs <= nowMs;
  }

  /** Whether one more might be let in; the transaction that admits counts again. */
  hasFreeSlot(nowMs: number): boolean {
    if (this.#policy.paused || nowMs < this.#noAdmissionUntilMs) return false;
    const { maxActive } = this.#policy;
    return maxActive === null || this.#active.size < maxActive || this.hasExpired(nowMs);
  }

  /** Nobody will be let in before the policy is changed. */
  get isAdmissionOff(): boolean {
    return this.#policy.paused || this.#policy.maxActive === 0;
  }

  /** Somebody waits for whom there might be room. */
  canAdmit(nowMs: number): boolean {
    return this.waiting > 0 && this.hasFreeSlot(nowMs);
  }

  growTo(lastNumber: number): void {
    this.#lastNumber = Math.max(this.#lastNumber, lastNumber);
  }

  admit(places: readonly ActivePlace[]): void {
    let waited = 0;
    for (const place of places) {
      this.addActive(place);
      if (place.activatedAtMs > place.joinedAtMs) waited += 1;
    }
    const first = places[0];
    if (first && waited > 0) this.pace.admitted(first.activatedAtMs, waited);
    this.#version += 1;
  }

  /** A place that is ACTIVE already: nothing moves, it is only known of. */
  addActive(place: ActivePlace): void {
    // Whoever is inside has joined, and everybody before them has been let in or is gone.
    this.#lastNumber = Math.max(this.#lastNumber, place.number);
    this.#admittedThrough = Math.max(this.#admittedThrough, place.number);
    this.#active.set(place.number, place);
    this.#nextExpiryMs = Math.min(this.#nextExpiryMs, this.#endOf(place));
    this.#nextFlushMs = Math.min(this.#nextFlushMs, this.#flushDueAtMs(place));
  }

  stopAdmissionUntil(ms: number): void {
    this.#noAdmissionUntilMs = ms;
  }

  /** An ACTIVE place ended, however; answers what was known of it. */
  removeActive(number: number): ActivePlace | undefined {
    const place = this.#active.get(number);
    this.#active.delete(number);
    return place;
  }

  removeWaiting(number: number): void {
    this.#left.add(number);
    this.#version += 1;
  }

  /**
   * A shorter idle time counts from when it was set: which requests of before came too late for it, each process could
   * tell only of its own.
   */
  changePolicy(policy: Policy, atMs: number): void {
    if (isIdleShorter(this.#policy, policy)) {
      for (const place of this.#active.values()) this.touch(place, atMs);
    }
    this.#policy = policy;
    this.#noAdmissionUntilMs = 0;
    this.#nextExpiryMs = 0;
    this.#nextFlushMs = 0;
  }

  #leftBetween(number: number): number {
    return this.#left.countThrough(number) - this.#left.countThrough(this.#admittedThrough);
  }

  get #idleMs(): number {
    const { idleSeconds } = this.#policy;
    return idleSeconds === null ? Infinity : idleSeconds * SECOND_MS;
  }

  #flushDueAtMs({ persistedLastSeenAtMs }: ActivePlace): number {
    return persistedLastSeenAtMs + this.#idleMs * FLUSH_LAG_SHARE;
  }

  #endOf(place: ActivePlace): number {
    return Math.min(place.expiresAtMs, place.lastSeenAtMs + this.#idleMs);
  }
}
