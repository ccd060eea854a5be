import { guard } from '../../kernel/guard.js';
import { SECOND_MS } from '../../kernel/time.js';
import { Deadlines } from './deadlines.js';
import { LeftNumbers } from './left-numbers.js';
import type { ActivePlace, PlaceState } from './place-state.js';
import { isIdleShorter, isShowUpShorter, type Policy } from '../policy/policy.js';
import type { LimitsFrom, QueueProgress } from './queue-progress.js';
import { estimateWaitSeconds, Pace } from './wait-estimate.js';

/** Fraction of `idleSeconds` or `showUpSeconds` that the stored `last_seen_at` may lag behind. */
const FLUSH_LAG_SHARE = 0.1;
/** A place that the database would expire sooner than this is flushed with the next request, not with the next job. */
const FLUSH_URGENT_MS = 1500;

/**
 * One concert's queue in memory, so that a poll needs no database: the last admitted number, which higher numbers left,
 * and which places are ACTIVE. It follows commits through the change feed. It never decides: whatever depends on it
 * is decided again by a transaction.
 *
 * Numbers 1 … admittedThrough were admitted or ended; numbers up to closedThrough left or ended with the sale; numbers up
 * to lastNumber are WAITING unless they left or the sale has closed since. So a rank is a subtraction, and a waiting place
 * needs no memory.
 */
export class QueueProjection {
  readonly concertId: string;
  readonly pace = new Pace();
  #policy: Policy;
  #lastNumber: number;
  #admittedThrough: number;
  #closedThrough: number;
  /** When the queue was last closed; 0 if that was before this process started. */
  #closedAtMs = 0;
  #closesAtMs: number;
  #soldOut: boolean;
  /** No admission before this time: the admission rate is exhausted. */
  #noAdmissionUntilMs = 0;
  /** Grows with every change of ranks or of the policy, so that streams know when to send positions. */
  #version = 0;
  readonly #left = new LeftNumbers();
  readonly #active = new Map<number, ActivePlace>();
  /** A request can only postpone the end of a place. */
  readonly #ends = new Deadlines<ActivePlace>(
    (place) => this.#endOf(place),
    (place) => this.#active.get(place.number) === place,
  );
  /** ACTIVE places that have expired and are not yet marked as ended. */
  readonly #expired = new Set<ActivePlace>();
  /** Places with a request that the database does not know of. */
  readonly #unflushed = new Set<ActivePlace>();
  readonly #flushes = new Deadlines<ActivePlace>(
    (place) => this.#flushDueAtMs(place),
    (place) => this.#unflushed.has(place),
  );
  /** Due until the change feed confirms the flush. */
  readonly #flushDue = new Set<ActivePlace>();
  #limitsFrom: LimitsFrom;

  constructor(
    concertId: string,
    policy: Policy,
    progress: QueueProgress,
    limitsFrom: LimitsFrom = { idleFromMs: 0, showUpFromMs: 0 },
  ) {
    this.concertId = concertId;
    this.#policy = policy;
    this.#lastNumber = progress.lastNumber;
    this.#admittedThrough = progress.admittedThrough;
    this.#closedThrough = progress.closedThrough;
    this.#closesAtMs = progress.closesAtMs;
    this.#soldOut = progress.soldOut;
    this.#limitsFrom = limitsFrom;
  }

  get policy(): Policy {
    return this.#policy;
  }

  get version(): number {
    return this.#version;
  }

  /** ACTIVE places that have not expired. */
  countActive(nowMs: number): number {
    this.#collectExpired(nowMs);
    return this.#active.size - this.#expired.size;
  }

  countExpired(nowMs: number): number {
    this.#collectExpired(nowMs);
    return this.#expired.size;
  }

  get lastNumber(): number {
    return this.#lastNumber;
  }

  /** The sale has closed by time: its end, its last date, or the operator. Selling out does not count. */
  hasClosed(nowMs: number): boolean {
    return guard('waiting-until-closing', this.#closesAtMs) <= nowMs;
  }

  /** From the time the sale closes, no place waits, even if the closing is not stored yet. */
  waitingAt(nowMs: number): number {
    return this.hasClosed(nowMs) ? 0 : this.#undecided;
  }

  /** Places that a closing would end now. Zero while the sale is open. */
  closingAt(nowMs: number): number {
    return this.hasClosed(nowMs) ? this.#undecided : 0;
  }

  /** The sale has closed or is sold out, and a transaction has not yet closed the queue. */
  isClosingDue(nowMs: number): boolean {
    if (this.#lastNumber <= this.#decidedThrough) return false;
    return this.hasClosed(nowMs) || (this.#soldOut && this.#policy.closeWhenSoldOut);
  }

  /** Whether this number ended with the sale, by what is stored. */
  isClosed(number: number): boolean {
    return number <= this.#closedThrough && !this.#left.has(number);
  }

  /** When a place that is CLOSED ended; 0 if this process does not know. */
  closedAtMs(number: number): number {
    return number <= this.#closedThrough ? this.#closedAtMs : this.#closesAtMs;
  }

  isActive(number: number): boolean {
    return this.#active.has(number);
  }

  /** Exactly 1 + the number of WAITING places that joined earlier. */
  rankOf(number: number): number {
    return number - this.#decidedThrough - this.#leftBetween(number);
  }

  stateOf(placeId: string, number: number, nowMs: number): PlaceState {
    if (number > this.#lastNumber) return { status: 'UNKNOWN' };
    if (number > this.#admittedThrough) {
      if (this.#left.has(number)) return { status: 'LEFT' };
      if (number <= this.#closedThrough || this.hasClosed(nowMs)) return { status: 'CLOSED' };
      return { status: 'WAITING', rank: this.rankOf(number) };
    }
    const place = this.#active.get(number);
    if (place?.placeId !== placeId) return { status: 'ENDED' };
    return { status: this.isExpired(place, nowMs) ? 'EXPIRED' : 'ACTIVE', place };
  }

  /** A time limit has passed. The place has ended from that instant, whatever its row says. */
  isExpired(place: ActivePlace, nowMs: number): boolean {
    return this.#endOf(place) <= nowMs;
  }

  touch(place: ActivePlace, nowMs: number): void {
    // Later than the admission, although the process that admitted may be slightly ahead: the owner has shown up.
    const seenAtMs = Math.max(nowMs, place.activatedAtMs + 1);
    if (this.isExpired(place, nowMs) || seenAtMs <= place.lastSeenAtMs) return;
    place.lastSeenAtMs = seenAtMs;
    this.#trackFlush(place);
  }

  /**
   * Places whose stored last-seen time lags too far behind. The database needs it only early enough not to expire a fan
   * who is active. Empty while the policy has neither an idle time nor a time to show up.
   */
  dueForFlush(nowMs: number): ActivePlace[] {
    for (const place of this.#flushes.takeDue(nowMs)) this.#flushDue.add(place);
    return [...this.#flushDue];
  }

  lastSeenTimes(): (readonly [placeId: string, seenAtMs: number])[] {
    return [...this.#active.values()].map(({ placeId, lastSeenAtMs }) => [placeId, lastSeenAtMs]);
  }

  /** By the stored last-seen time, more than half of a limit has passed, or the place ends soon. */
  isFlushOverdue(place: ActivePlace): boolean {
    if (place.lastSeenAtMs <= place.persistedLastSeenAtMs) return false;
    const isNear = (limitMs: number, endMs: number): boolean =>
      endMs - place.lastSeenAtMs < Math.max(limitMs / 2, FLUSH_URGENT_MS);
    const { persistedLastSeenAtMs } = place;
    return (
      isNear(this.#idleMs, this.#idleEndOf(persistedLastSeenAtMs)) ||
      isNear(this.#showUpMs, this.#showUpEndOf(place, persistedLastSeenAtMs))
    );
  }

  /** A process has stored a last-seen time. */
  recordPersistedLastSeen(number: number, atMs: number): void {
    const place = this.#active.get(number);
    if (!place) return;
    place.lastSeenAtMs = Math.max(place.lastSeenAtMs, atMs);
    place.persistedLastSeenAtMs = Math.max(place.persistedLastSeenAtMs, atMs);
    // Another process may know of a request that this one has not seen.
    if (this.#expired.delete(place)) this.#ends.add(place);
    this.#flushDue.delete(place);
    if (this.#unflushed.delete(place)) this.#trackFlush(place);
  }

  hasExpired(nowMs: number): boolean {
    return this.countExpired(nowMs) > 0;
  }

  /** How many places may be admitted now, at most. The admitting transaction counts again. */
  freeSlots(nowMs: number): number {
    const { admitCount, paused } = this.#policy;
    if (paused || nowMs < this.#noAdmissionUntilMs) return 0;
    return Math.min(this.#openSlots(nowMs), admitCount ?? Infinity);
  }

  hasFreeSlot(nowMs: number): boolean {
    return this.freeSlots(nowMs) > 0;
  }

  /** No place is admitted until the policy changes. */
  get isAdmissionOff(): boolean {
    return this.#policy.paused || this.#policy.maxActive === 0;
  }

  /** Waiting fans should be admitted sooner or later. */
  get isAdmitting(): boolean {
    return !this.isAdmissionOff && !this.#soldOut;
  }

  /** Null while admission is off, and without a rate or a history. */
  estimateWaitSeconds(rank: number, nowMs: number): number | null {
    if (this.isAdmissionOff) return null;
    const { pace } = this;
    const [openSlots, nextByRateMs] = [this.#openSlots(nowMs), this.#noAdmissionUntilMs];
    return estimateWaitSeconds(rank - 1, { policy: this.#policy, openSlots, nextByRateMs, pace }, nowMs);
  }

  /** A fan waits, and a slot may be free. */
  canAdmit(nowMs: number): boolean {
    return this.waitingAt(nowMs) > 0 && this.hasFreeSlot(nowMs);
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
    this.#ends.add(place);
    this.#trackFlush(place);
  }

  closeThrough(number: number, atMs: number): void {
    this.#lastNumber = Math.max(this.#lastNumber, number);
    this.#closedThrough = Math.max(this.#closedThrough, number);
    this.#closedAtMs = Math.max(this.#closedAtMs, atMs);
    this.#version += 1;
  }

  moveClosing(closesAtMs: number): void {
    this.#closesAtMs = closesAtMs;
  }

  setSoldOut(soldOut: boolean): void {
    this.#soldOut = soldOut;
  }

  /** The rate is used up until then. Ignored if the policy's rate has changed since the transaction read it. */
  stopAdmissionByRate(rate: Pick<Policy, 'admitCount' | 'admitEverySeconds'>, untilMs: number): void {
    const { admitCount, admitEverySeconds } = this.#policy;
    if (rate.admitCount === admitCount && rate.admitEverySeconds === admitEverySeconds)
      this.#noAdmissionUntilMs = untilMs;
  }

  removeActive(number: number): ActivePlace | undefined {
    const place = this.#active.get(number);
    if (!place) return undefined;
    this.#active.delete(number);
    this.#expired.delete(place);
    this.#unflushed.delete(place);
    this.#flushDue.delete(place);
    return place;
  }

  removeWaiting(number: number): void {
    this.#left.add(number);
    this.#version += 1;
  }

  /**
   * A shorter limit counts from the moment it is set. Judging earlier requests by it would need the last-seen times of
   * all processes.
   */
  changePolicy(policy: Policy, atMs: number): void {
    const { idleFromMs, showUpFromMs } = this.#limitsFrom;
    this.#limitsFrom = {
      idleFromMs: isIdleShorter(this.#policy, policy) ? Math.max(idleFromMs, atMs) : idleFromMs,
      showUpFromMs: isShowUpShorter(this.#policy, policy) ? Math.max(showUpFromMs, atMs) : showUpFromMs,
    };
    this.#policy = policy;
    this.#version += 1;
    this.#noAdmissionUntilMs = 0;
    this.#expired.clear();
    this.#ends.reset(this.#active.values());
    this.#flushDue.clear();
    this.#flushes.reset(this.#unflushed);
  }

  /**
   * The latest times by which a place counts as idle, or as not shown up: of the last request, and of the admission. -1:
   * no place does.
   */
  limitsAt(nowMs: number): { readonly idleSinceMs: number; readonly notShownUpSinceMs: number } {
    const { idleFromMs, showUpFromMs } = this.#limitsFrom;
    const since = (limitMs: number, fromMs: number): number =>
      fromMs + limitMs <= nowMs ? nowMs - limitMs : -1;
    return {
      idleSinceMs: since(this.#idleMs, idleFromMs),
      notShownUpSinceMs: since(this.#showUpMs, showUpFromMs),
    };
  }

  /** Every number up to this one was admitted or has ended. */
  get #decidedThrough(): number {
    return Math.max(this.#admittedThrough, this.#closedThrough);
  }

  /** Places that are neither admitted nor ended, by what is stored. */
  get #undecided(): number {
    return this.#lastNumber - this.#decidedThrough - this.#leftBetween(this.#lastNumber);
  }

  #leftBetween(number: number): number {
    return this.#left.countThrough(number) - this.#left.countThrough(this.#decidedThrough);
  }

  /** Slots that no ACTIVE place takes. Negative after `maxActive` was lowered. */
  #openSlots(nowMs: number): number {
    const { maxActive } = this.#policy;
    return maxActive === null ? Infinity : maxActive - this.countActive(nowMs);
  }

  get #idleMs(): number {
    const { idleSeconds } = this.#policy;
    return idleSeconds === null ? Infinity : idleSeconds * SECOND_MS;
  }

  get #showUpMs(): number {
    const { showUpSeconds } = this.#policy;
    return showUpSeconds === null ? Infinity : showUpSeconds * SECOND_MS;
  }

  #collectExpired(nowMs: number): void {
    for (const place of this.#ends.takeDue(nowMs)) this.#expired.add(place);
  }

  #trackFlush(place: ActivePlace): void {
    if (place.lastSeenAtMs <= place.persistedLastSeenAtMs || this.#unflushed.has(place)) return;
    this.#unflushed.add(place);
    this.#flushes.add(place);
  }

  #flushDueAtMs(place: ActivePlace): number {
    const { persistedLastSeenAtMs } = place;
    const dueAt = (limitMs: number, endMs: number): number =>
      endMs === Infinity ? Infinity : endMs - Math.max(limitMs * (1 - FLUSH_LAG_SHARE), FLUSH_URGENT_MS);
    return Math.min(
      dueAt(this.#idleMs, this.#idleEndOf(persistedLastSeenAtMs)),
      dueAt(this.#showUpMs, this.#showUpEndOf(place, persistedLastSeenAtMs)),
    );
  }

  #endOf(place: ActivePlace): number {
    const { expiresAtMs, lastSeenAtMs } = place;
    return Math.min(expiresAtMs, this.#idleEndOf(lastSeenAtMs), this.#showUpEndOf(place, lastSeenAtMs));
  }

  #idleEndOf(seenAtMs: number): number {
    return Math.max(seenAtMs, this.#limitsFrom.idleFromMs) + this.#idleMs;
  }

  /** Infinity once the owner has made a request as an ACTIVE fan. */
  #showUpEndOf({ activatedAtMs }: ActivePlace, seenAtMs: number): number {
    const hasShownUp = seenAtMs > activatedAtMs;
    return hasShownUp ? Infinity : Math.max(activatedAtMs, this.#limitsFrom.showUpFromMs) + this.#showUpMs;
  }
}
