import { SECOND_MS } from '../../kernel/time.js';
import { LeftNumbers } from './left-numbers.js';
import { isIdleShorter, type Policy } from '../policy/policy.js';
import { Pace } from './wait-estimate.js';

/** Fraction of `idleSeconds` that the stored `last_seen_at` may lag behind. */
const FLUSH_LAG_SHARE = 0.1;

export interface ActivePlace {
  readonly concertId: string;
  readonly placeId: string;
  readonly userId: string;
  readonly number: number;
  readonly joinedAtMs: number;
  readonly activatedAtMs: number;
  readonly expiresAtMs: number;
  /** The last request of any kind. The database gets it in batches, later. */
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
 * One concert's queue in memory, so that a poll needs no database: the last admitted number, which higher numbers left,
 * and which places are ACTIVE. It follows commits through the change feed. It never decides: whatever depends on it
 * is decided again by a transaction.
 *
 * Numbers 1 … admittedThrough were admitted or left; numbers up to lastNumber are WAITING unless they left. So a rank is a
 * subtraction, and a waiting place needs no memory.
 */
export class QueueProjection {
  readonly concertId: string;
  readonly pace = new Pace();
  #policy: Policy;
  #lastNumber: number;
  #admittedThrough: number;
  /** No admission before this time: the admission rate is exhausted, or the sale is closed. */
  #noAdmissionUntilMs = 0;
  /** No place expires before this time. A request can only postpone an expiry. */
  #nextExpiryMs = Infinity;
  /** No last-seen time is due for a flush before this time. */
  #nextFlushMs = Infinity;
  /** Grows with every change of ranks, so that streams know when to send positions. */
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

  /** Lifetime or idle time has passed. The place has ended from that instant, whatever its row says. */
  isExpired(place: ActivePlace, nowMs: number): boolean {
    return this.#endOf(place) <= nowMs;
  }

  touch(place: ActivePlace, nowMs: number): void {
    if (this.isExpired(place, nowMs) || nowMs <= place.lastSeenAtMs) return;
    place.lastSeenAtMs = nowMs;
    this.#nextFlushMs = Math.min(this.#nextFlushMs, this.#flushDueAtMs(place));
  }

  /**
   * Places whose stored last-seen time lags too far behind. The database needs it only early enough not to expire an
   * active fan as idle. Empty while the policy has no idle time.
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
    // Due until the change feed confirms the flush.
    this.#nextFlushMs = due.length > 0 ? 0 : nextMs;
    return due;
  }

  lastSeenTimes(): (readonly [placeId: string, seenAtMs: number])[] {
    return [...this.#active.values()].map(({ placeId, lastSeenAtMs }) => [placeId, lastSeenAtMs]);
  }

  /** The stored last-seen time lags by more than half the idle time. */
  isFlushOverdue({ lastSeenAtMs, persistedLastSeenAtMs }: ActivePlace): boolean {
    return lastSeenAtMs - persistedLastSeenAtMs > this.#idleMs / 2;
  }

  /** A process has stored a last-seen time. */
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

  /** Whether one more place may be admitted. The admitting transaction counts again. */
  hasFreeSlot(nowMs: number): boolean {
    if (this.#policy.paused || nowMs < this.#noAdmissionUntilMs) return false;
    const { maxActive } = this.#policy;
    return maxActive === null || this.#active.size < maxActive || this.hasExpired(nowMs);
  }

  /** No place is admitted until the policy changes. */
  get isAdmissionOff(): boolean {
    return this.#policy.paused || this.#policy.maxActive === 0;
  }

  /** A fan waits, and a slot may be free. */
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

  /** Adds a place that is ACTIVE already, for example after a restart. Ranks do not change. */
  addActive(place: ActivePlace): void {
    // Places are admitted in order: every place before an ACTIVE one was admitted or left.
    this.#lastNumber = Math.max(this.#lastNumber, place.number);
    this.#admittedThrough = Math.max(this.#admittedThrough, place.number);
    this.#active.set(place.number, place);
    this.#nextExpiryMs = Math.min(this.#nextExpiryMs, this.#endOf(place));
    this.#nextFlushMs = Math.min(this.#nextFlushMs, this.#flushDueAtMs(place));
  }

  stopAdmissionUntil(ms: number): void {
    this.#noAdmissionUntilMs = ms;
  }

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
   * A shorter idle time counts from the moment it is set. Judging earlier requests by it would need the last-seen times of
   * all processes.
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
