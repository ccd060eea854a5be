import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActivePlace, PlaceState } from '../../src/waiting-room/projection/place-state.js';
import type { LimitsFrom, QueueProgress } from '../../src/waiting-room/projection/queue-progress.js';
import { QueueProjection } from '../../src/waiting-room/projection/queue-projection.js';
import type { Policy } from '../../src/waiting-room/index.js';

const CONCERT = 'concert';
const SECOND_MS = 1000;

interface ModelPlace {
  readonly number: number;
  state: 'WAITING' | 'LEFT' | 'CLOSED' | 'ACTIVE' | 'ENDED';
  active?: ActivePlace;
  lastRank: number;
}

type Step =
  | { readonly do: 'join'; readonly count: number }
  | { readonly do: 'leave' | 'end' | 'touch'; readonly pick: number }
  | { readonly do: 'admit'; readonly count: number; readonly seconds: number }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'policy'; readonly policy: Partial<Policy> }
  | { readonly do: 'move closing'; readonly ms: number }
  | { readonly do: 'rebuild' | 'sell out' };

const pick = fc.nat({ max: 1000 });
const seconds = fc.integer({ min: 1, max: 20 });
/** Often whole seconds, so that checks fall exactly on the instant at which a place expires. */
const ms = fc.oneof(
  seconds.map((count) => count * SECOND_MS),
  fc.integer({ min: 1, max: 8000 }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('join' as const), count: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ do: fc.constantFrom('leave' as const, 'end' as const, 'touch' as const), pick }),
  fc.record({ do: fc.constant('admit' as const), count: fc.integer({ min: 1, max: 5 }), seconds }),
  fc.record({ do: fc.constant('wait' as const), ms }),
  fc.record({
    do: fc.constant('policy' as const),
    policy: fc.record(
      {
        maxActive: fc.option(fc.nat({ max: 6 })),
        idleSeconds: fc.option(seconds),
        showUpSeconds: fc.option(seconds),
        paused: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({ do: fc.constant('move closing' as const), ms }),
  fc.record({ do: fc.constantFrom('rebuild' as const, 'sell out' as const) }),
);

const progress = (lastNumber: number, admittedThrough: number): QueueProgress => ({
  lastNumber,
  admittedThrough,
  closedThrough: 0,
  closesAtMs: Infinity,
  soldOut: false,
});

/** A queue as a plain array of places in the order of joining, and the projection that must match it. */
class ModelQueue {
  places: ModelPlace[] = [];
  nowMs = 1_000_000;
  closesAtMs = Infinity;
  policy: Policy = {
    maxActive: 3,
    admitCount: null,
    admitEverySeconds: null,
    activeSeconds: 10,
    idleSeconds: 5,
    showUpSeconds: null,
    consumeOn: 'PAYMENT',
    holdSeconds: 300,
    maxSeatsPerUser: 4,
    paused: false,
    closeWhenSoldOut: true,
    notice: null,
  };
  limitsFrom: LimitsFrom = { idleFromMs: 0, showUpFromMs: 0 };
  projection: QueueProjection;
  /** How many places were created, admitted and ended before the history begins. */
  readonly #earlierPlaces: number;

  constructor(earlierPlaces: number) {
    this.#earlierPlaces = earlierPlaces;
    this.projection = new QueueProjection(CONCERT, this.policy, progress(earlierPlaces, earlierPlaces));
  }

  withState(state: ModelPlace['state']): ModelPlace[] {
    return this.places.filter((place) => place.state === state);
  }

  get #last(): number {
    return this.#earlierPlaces + this.places.length;
  }

  get hasClosed(): boolean {
    return this.closesAtMs <= this.nowMs;
  }

  /** Stores that the sale closed. */
  #close(): void {
    const isDue = this.withState('WAITING').length > 0;
    for (const place of this.withState('WAITING')) place.state = 'CLOSED';
    if (isDue) this.projection.closeThrough(this.#last, this.nowMs);
  }

  isExpired({ active }: ModelPlace): boolean {
    if (!active) return false;
    const { idleSeconds, showUpSeconds } = this.policy;
    const { activatedAtMs, expiresAtMs, lastSeenAtMs } = active;
    const hasPassed = (seconds: number | null, fromMs: number): boolean =>
      seconds !== null && fromMs + seconds * SECOND_MS <= this.nowMs;
    return (
      expiresAtMs <= this.nowMs ||
      hasPassed(idleSeconds, Math.max(lastSeenAtMs, this.limitsFrom.idleFromMs)) ||
      (lastSeenAtMs === activatedAtMs &&
        hasPassed(showUpSeconds, Math.max(activatedAtMs, this.limitsFrom.showUpFromMs)))
    );
  }

  apply(step: Step): void {
    switch (step.do) {
      case 'join':
        if (this.hasClosed) break;
        for (let count = 0; count < step.count; count += 1) {
          this.places.push({
            number: this.#earlierPlaces + this.places.length + 1,
            state: 'WAITING',
            lastRank: Infinity,
          });
        }
        this.projection.growTo(this.#last);
        break;
      case 'admit':
        if (this.hasClosed) break;
        this.#admit(this.withState('WAITING').slice(0, step.count), step.seconds * SECOND_MS);
        break;
      case 'wait':
        this.nowMs += step.ms;
        break;
      case 'policy':
        this.#changePolicy({ ...this.policy, ...step.policy });
        break;
      case 'rebuild':
        this.#rebuild();
        break;
      case 'sell out':
        this.#close();
        break;
      case 'move closing':
        if (this.hasClosed) this.#close();
        this.closesAtMs = this.nowMs + step.ms;
        this.projection.moveClosing(this.closesAtMs);
        break;
      case 'leave':
      case 'end':
      case 'touch':
        this.#changePlace(step.do, step.pick);
    }
  }

  #changePolicy(policy: Policy): void {
    const isShorter = (limit: 'idleSeconds' | 'showUpSeconds'): boolean =>
      (policy[limit] ?? Infinity) < (this.policy[limit] ?? Infinity);
    this.limitsFrom = {
      idleFromMs: isShorter('idleSeconds') ? this.nowMs : this.limitsFrom.idleFromMs,
      showUpFromMs: isShorter('showUpSeconds') ? this.nowMs : this.limitsFrom.showUpFromMs,
    };
    this.policy = policy;
    this.projection.changePolicy(policy, this.nowMs);
  }

  #changePlace(what: 'leave' | 'end' | 'touch', pick: number): void {
    const candidates = this.withState(what === 'leave' ? 'WAITING' : 'ACTIVE');
    const place = candidates[pick % Math.max(1, candidates.length)];
    if (!place) return;
    if (what === 'leave') {
      place.state = 'LEFT';
      this.projection.removeWaiting(place.number);
    } else if (what === 'end') {
      place.state = 'ENDED';
      expect(this.projection.removeActive(place.number)).toBe(place.active);
      expect(this.projection.removeActive(place.number)).toBeUndefined();
    } else {
      const seenBefore = place.active!.lastSeenAtMs;
      const isExpired = this.isExpired(place);
      this.projection.touch(place.active!, this.nowMs);
      const seenNow = Math.max(this.nowMs, place.active!.activatedAtMs + 1);
      expect(place.active!.lastSeenAtMs).toBe(isExpired ? seenBefore : seenNow);
    }
  }

  #admit(places: readonly ModelPlace[], lifetimeMs: number): void {
    for (const place of places) {
      const { number } = place;
      place.state = 'ACTIVE';
      place.active = {
        concertId: CONCERT,
        placeId: `p${number}`,
        userId: `u${number}`,
        number,
        joinedAtMs: this.nowMs,
        activatedAtMs: this.nowMs,
        expiresAtMs: this.nowMs + lifetimeMs,
        lastSeenAtMs: this.nowMs,
        persistedLastSeenAtMs: this.nowMs,
      };
    }
    this.projection.admit(places.map(({ active }) => active!));
  }

  /** Rebuilds the projection as after a restart, from the only state that is then known. */
  #rebuild(): void {
    const admitted = this.places.filter(({ active }) => active).map(({ number }) => number);
    const admittedThrough = Math.max(this.#earlierPlaces, ...admitted);
    const stored = {
      ...progress(this.#last, admittedThrough),
      closedThrough: Math.max(0, ...this.withState('CLOSED').map(({ number }) => number)),
      closesAtMs: this.closesAtMs,
    };
    this.projection = new QueueProjection(CONCERT, this.policy, stored, this.limitsFrom);
    for (const { number } of this.withState('LEFT'))
      if (number > admittedThrough) this.projection.removeWaiting(number);
    for (const { active } of this.withState('ACTIVE')) this.projection.admit([active!]);
  }

  check(): void {
    const { projection, nowMs } = this;
    const active = this.withState('ACTIVE');
    const expired = active.filter((place) => this.isExpired(place)).length;
    const { maxActive, paused } = this.policy;
    const last = this.#last;
    const actual = {
      last: projection.lastNumber,
      waiting: projection.waitingAt(nowMs),
      closing: projection.closingAt(nowMs),
      active: projection.countActive(nowMs),
      expired: projection.countExpired(nowMs),
      freeSlots: projection.freeSlots(nowMs),
      states: this.places.map(({ number }) => projection.stateOf(`p${number}`, number, nowMs)),
      wrongPlaceIds: active.map(({ number }) => projection.stateOf('another id', number, nowMs).status),
      next: projection.stateOf('not joined', last + 1, nowMs).status,
    };
    expect(actual).toEqual({
      last,
      waiting: this.hasClosed ? 0 : this.withState('WAITING').length,
      closing: this.hasClosed ? this.withState('WAITING').length : 0,
      active: active.length - expired,
      expired,
      freeSlots: paused ? 0 : (maxActive ?? Infinity) - (active.length - expired),
      states: this.#states(),
      wrongPlaceIds: active.map(() => 'ENDED'),
      next: 'UNKNOWN',
    });
    for (const [index, state] of actual.states.entries())
      this.#expectNoRankIncrease(this.places[index]!, state);
  }

  #expectNoRankIncrease(place: ModelPlace, state: PlaceState): void {
    if (state.status !== 'WAITING') return;
    if (state.rank > place.lastRank) expect.fail(`the rank of ${place.number} grew to ${state.rank}`);
    place.lastRank = state.rank;
  }

  #states(): PlaceState[] {
    const admittedThrough = Math.max(
      0,
      ...this.places.filter(({ active }) => active).map(({ number }) => number),
    );
    let rank = 0;
    return this.places.map((place) => {
      if (place.state === 'WAITING') rank += 1;
      return this.#stateOf(place, rank, admittedThrough);
    });
  }

  #stateOf(place: ModelPlace, rank: number, admittedThrough: number): PlaceState {
    switch (place.state) {
      case 'WAITING':
        return this.hasClosed ? { status: 'CLOSED' } : { status: 'WAITING', rank };
      case 'CLOSED':
        return { status: place.number > admittedThrough ? 'CLOSED' : 'ENDED' };
      case 'LEFT':
        return { status: place.number > admittedThrough ? 'LEFT' : 'ENDED' };
      case 'ENDED':
        return { status: 'ENDED' };
      case 'ACTIVE':
        return { status: this.isExpired(place) ? 'EXPIRED' : 'ACTIVE', place: place.active! };
    }
  }
}

describe('the queue projection', () => {
  it('matches a plain list of places after every step of random histories', () => {
    const earlierPlaces = fc.constantFrom(0, 1, 30, 1020, 4093);
    let steps = 0;
    fc.assert(
      fc.property(earlierPlaces, fc.array(step, { minLength: 10, maxLength: 80 }), (earlier, history) => {
        const queue = new ModelQueue(earlier);
        queue.check();
        for (const each of history) {
          queue.apply(each);
          queue.check();
          steps += 1;
        }
      }),
      { numRuns: 400 },
    );
    expect(steps).toBeGreaterThan(4000);
  });
});

describe('admission that a rate has stopped', () => {
  it('starts again with a new rate, even if the transaction that read the old one reports later', () => {
    const rate = { admitCount: 1, admitEverySeconds: 60 };
    const { policy, nowMs } = new ModelQueue(0);
    const projection = new QueueProjection(CONCERT, { ...policy, ...rate }, progress(1, 0));
    projection.stopAdmissionByRate(rate, nowMs + 60_000);
    expect(projection.hasFreeSlot(nowMs)).toBe(false);
    projection.changePolicy({ ...policy, admitCount: 2, admitEverySeconds: 60 }, nowMs);
    projection.stopAdmissionByRate(rate, nowMs + 60_000);
    expect(projection.hasFreeSlot(nowMs)).toBe(true);
  });
});
