import { SECOND_MS } from '../kernel/time.js';
import { LeftNumbers } from './left-numbers.js';
import { isIdleShorter, type Policy } from './policy.js';
import { Pace } from './wait-estimate.js';

/** Of the time after which somebody is idle: so long the database may not know that they have been here since. */
const UNKEPT_SHARE = 0.1;

export interface ActivePlace {
  readonly concertId: string;
  readonly placeId: string;
  readonly userId: string;
  readonly number: number;
  readonly joinedAtMs: number;
  readonly activatedAtMs: number;
  readonly expiresAtMs: number;
  /** The last request of any kind; ahead of the database, which hears of it in batches. */
  seenAtMs: number;
  keptSeenAtMs: number;
}

export type Standing =
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
export class RoomView {
  readonly concertId: string;
  readonly pace = new Pace();
  #policy: Policy;
  #lastNumber: number;
  #admittedThrough: number;
  /** Nobody can be let in before then: the period's portion is used up, or the sale is over. */
  #closedUntilMs = 0;
  /** Nobody runs out before then: being seen only ever moves a place's end further away. */
  #nextRunOutMs = Infinity;
  /** There is nobody to be kept as seen before then. */
  #nextUnkeptMs = Infinity;
  /** Counts what moved the line, so that streams know whether to look. */
  #moves = 0;
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

  get moves(): number {
    return this.#moves;
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

  standing(placeId: string, number: number, nowMs: number): Standing {
    if (number > this.#lastNumber) return { status: 'UNKNOWN' };
    if (number > this.#admittedThrough) {
      return this.#left.has(number) ? { status: 'LEFT' } : { status: 'WAITING', rank: this.rankOf(number) };
    }
    const place = this.#active.get(number);
    if (place?.placeId !== placeId) return { status: 'ENDED' };
    return { status: this.isOver(place, nowMs) ? 'EXPIRED' : 'ACTIVE', place };
  }

  /** Lifetime or idle time ran out: gone from that instant, whoever notices. */
  isOver(place: ActivePlace, nowMs: number): boolean {
    return this.#endOf(place) <= nowMs;
  }

  touch(place: ActivePlace, nowMs: number): void {
    if (this.isOver(place, nowMs) || nowMs <= place.seenAtMs) return;
    place.seenAtMs = nowMs;
    this.#nextUnkeptMs = Math.min(this.#nextUnkeptMs, this.#unkeptFromMs(place));
  }

  /**
   * Places whose owners have been here since the database was told, a while ago: it need not hear of every request, only
   * early enough not to find anybody idle. None where nobody can idle out.
   */
  unkept(nowMs: number): ActivePlace[] {
    if (this.#policy.idleSeconds === null || nowMs < this.#nextUnkeptMs) return [];
    const due: ActivePlace[] = [];
    let nextMs = Infinity;
    for (const place of this.#active.values()) {
      const fromMs = this.#unkeptFromMs(place);
      if (fromMs > nowMs) nextMs = Math.min(nextMs, fromMs);
      else if (place.seenAtMs > place.keptSeenAtMs) due.push(place);
    }
    // Until the database has confirmed it, they are due.
    this.#nextUnkeptMs = due.length > 0 ? 0 : nextMs;
    return due;
  }

  /** When whoever is inside was last heard of, by place. */
  seenTimes(): (readonly [placeId: string, seenAtMs: number])[] {
    return [...this.#active.values()].map(({ placeId, seenAtMs }) => [placeId, seenAtMs]);
  }

  /** The database thinks it has been idle for half of what is allowed, and it has not. */
  isLongUnkept({ seenAtMs, keptSeenAtMs }: ActivePlace): boolean {
    return seenAtMs - keptSeenAtMs > this.#idleMs / 2;
  }

  /** Heard from the database: some process has heard of the place's owner. */
  seen(number: number, atMs: number): void {
    const place = this.#active.get(number);
    if (!place) return;
    place.seenAtMs = Math.max(place.seenAtMs, atMs);
    place.keptSeenAtMs = Math.max(place.keptSeenAtMs, atMs);
  }

  hasRunOut(nowMs: number): boolean {
    if (nowMs < this.#nextRunOutMs) return false;
    this.#nextRunOutMs = Infinity;
    for (const place of this.#active.values()) {
      this.#nextRunOutMs = Math.min(this.#nextRunOutMs, this.#endOf(place));
    }
    return this.#nextRunOutMs <= nowMs;
  }

  /** Whether one more might be let in; the transaction that admits counts again. */
  hasRoom(nowMs: number): boolean {
    if (this.#policy.paused || nowMs < this.#closedUntilMs) return false;
    const { maxActive } = this.#policy;
    return maxActive === null || this.#active.size < maxActive || this.hasRunOut(nowMs);
  }

  /** Nobody will be let in before the policy is changed. */
  get isShut(): boolean {
    return this.#policy.paused || this.#policy.maxActive === 0;
  }

  /** Somebody waits for whom there might be room. */
  couldLetIn(nowMs: number): boolean {
    return this.waiting > 0 && this.hasRoom(nowMs);
  }

  joined(lastNumber: number): void {
    this.#lastNumber = Math.max(this.#lastNumber, lastNumber);
  }

  admitted(places: readonly ActivePlace[]): void {
    let waited = 0;
    for (const place of places) {
      this.restored(place);
      if (place.activatedAtMs > place.joinedAtMs) waited += 1;
    }
    const first = places[0];
    if (first && waited > 0) this.pace.admitted(first.activatedAtMs, waited);
    this.#moves += 1;
  }

  /** A place that is ACTIVE already: nothing moves, it is only known of. */
  restored(place: ActivePlace): void {
    // Whoever is inside has joined, and everybody before them has been let in or is gone.
    this.#lastNumber = Math.max(this.#lastNumber, place.number);
    this.#admittedThrough = Math.max(this.#admittedThrough, place.number);
    this.#active.set(place.number, place);
    this.#nextRunOutMs = Math.min(this.#nextRunOutMs, this.#endOf(place));
    this.#nextUnkeptMs = Math.min(this.#nextUnkeptMs, this.#unkeptFromMs(place));
  }

  closeUntil(ms: number): void {
    this.#closedUntilMs = ms;
  }

  /** An ACTIVE place ended, however; answers what was known of it. */
  ended(number: number): ActivePlace | undefined {
    const place = this.#active.get(number);
    this.#active.delete(number);
    return place;
  }

  leftWaiting(number: number): void {
    this.#left.add(number);
    this.#moves += 1;
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
    this.#closedUntilMs = 0;
    this.#nextRunOutMs = 0;
    this.#nextUnkeptMs = 0;
  }

  #leftBetween(number: number): number {
    return this.#left.countThrough(number) - this.#left.countThrough(this.#admittedThrough);
  }

  get #idleMs(): number {
    const { idleSeconds } = this.#policy;
    return idleSeconds === null ? Infinity : idleSeconds * SECOND_MS;
  }

  #unkeptFromMs({ keptSeenAtMs }: ActivePlace): number {
    return keptSeenAtMs + this.#idleMs * UNKEPT_SHARE;
  }

  #endOf(place: ActivePlace): number {
    return Math.min(place.expiresAtMs, place.seenAtMs + this.#idleMs);
  }
}
