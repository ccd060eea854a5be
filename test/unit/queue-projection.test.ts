import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ActivePlace,
  QueueProjection,
  type PlaceState,
} from '../../src/waiting-room/projection/queue-projection.js';
import type { Policy } from '../../src/waiting-room/index.js';

const CONCERT = 'concert';
const SECOND_MS = 1000;

interface ModelPlace {
  readonly number: number;
  state: 'WAITING' | 'LEFT' | 'ACTIVE' | 'ENDED';
  active?: ActivePlace;
  lastRank: number;
}

type Step =
  | { readonly do: 'join'; readonly count: number }
  | { readonly do: 'leave' | 'end' | 'touch'; readonly pick: number }
  | { readonly do: 'admit'; readonly count: number; readonly seconds: number }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'policy'; readonly policy: Partial<Policy> }
  | { readonly do: 'rebuild' };

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
        paused: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  }),
  fc.constant({ do: 'rebuild' as const }),
);

/** A queue as a plain array of places in the order of joining, and the projection that must match it. */
class ModelQueue {
  places: ModelPlace[] = [];
  nowMs = 1_000_000;
  policy: Policy = {
    maxActive: 3,
    admitCount: null,
    admitEverySeconds: null,
    activeSeconds: 10,
    idleSeconds: 5,
    consumeOn: 'PAYMENT',
    holdSeconds: 300,
    maxSeatsPerUser: 4,
    paused: false,
  };
  projection: QueueProjection;
  /** How many places were created, admitted and ended before the history begins. */
  readonly #earlierPlaces: number;

  constructor(earlierPlaces: number) {
    this.#earlierPlaces = earlierPlaces;
    this.projection = new QueueProjection(CONCERT, this.policy, earlierPlaces, earlierPlaces);
  }

  withState(state: ModelPlace['state']): ModelPlace[] {
    return this.places.filter((place) => place.state === state);
  }

  isExpired({ active }: ModelPlace): boolean {
    if (!active) return false;
    const { idleSeconds } = this.policy;
    if (active.expiresAtMs <= this.nowMs) return true;
    return idleSeconds !== null && active.lastSeenAtMs + idleSeconds * SECOND_MS <= this.nowMs;
  }

  apply(step: Step): void {
    switch (step.do) {
      case 'join':
        for (let count = 0; count < step.count; count += 1) {
          this.places.push({
            number: this.#earlierPlaces + this.places.length + 1,
            state: 'WAITING',
            lastRank: Infinity,
          });
        }
        this.projection.growTo(this.#earlierPlaces + this.places.length);
        break;
      case 'admit':
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
      case 'leave':
      case 'end':
      case 'touch':
        this.#changePlace(step.do, step.pick);
    }
  }

  #changePolicy(policy: Policy): void {
    const idleOf = ({ idleSeconds }: Policy): number => idleSeconds ?? Infinity;
    const isShorter = idleOf(policy) < idleOf(this.policy);
    const expected = this.withState('ACTIVE').map((place) =>
      isShorter && !this.isExpired(place) ? this.nowMs : place.active!.lastSeenAtMs,
    );
    this.policy = policy;
    this.projection.changePolicy(policy, this.nowMs);
    expect(this.withState('ACTIVE').map(({ active }) => active!.lastSeenAtMs)).toEqual(expected);
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
      expect(place.active!.lastSeenAtMs).toBe(isExpired ? seenBefore : this.nowMs);
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
    this.projection = new QueueProjection(
      CONCERT,
      this.policy,
      this.#earlierPlaces + this.places.length,
      admittedThrough,
    );
    for (const { number } of this.withState('LEFT'))
      if (number > admittedThrough) this.projection.removeWaiting(number);
    for (const { active } of this.withState('ACTIVE')) this.projection.admit([active!]);
  }

  check(): void {
    const { projection, nowMs } = this;
    const active = this.withState('ACTIVE');
    const hasExpired = active.some((place) => this.isExpired(place));
    const { maxActive, paused } = this.policy;
    const last = this.#earlierPlaces + this.places.length;
    const actual = {
      last: projection.lastNumber,
      waiting: projection.waiting,
      active: projection.activeCount,
      hasExpired: projection.hasExpired(nowMs),
      hasFreeSlot: projection.hasFreeSlot(nowMs),
      states: this.places.map(({ number }) => projection.stateOf(`p${number}`, number, nowMs)),
      wrongPlaceIds: active.map(({ number }) => projection.stateOf('another id', number, nowMs).status),
      next: projection.stateOf('not joined', last + 1, nowMs).status,
    };
    expect(actual).toEqual({
      last,
      waiting: this.withState('WAITING').length,
      active: active.length,
      hasExpired,
      hasFreeSlot: !paused && (maxActive === null || active.length < maxActive || hasExpired),
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
        return { status: 'WAITING', rank };
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

describe('an ACTIVE place loaded at startup', () => {
  it('is ACTIVE and does not count towards the pace of admissions', () => {
    const { policy, nowMs } = new ModelQueue(0);
    const place = {
      concertId: CONCERT,
      placeId: 'p',
      userId: 'u',
      number: 1,
      joinedAtMs: nowMs - 2 * SECOND_MS,
      activatedAtMs: nowMs,
      expiresAtMs: nowMs + 10 * SECOND_MS,
      lastSeenAtMs: nowMs,
      persistedLastSeenAtMs: 0,
    };
    const paceAfter = (add: (projection: QueueProjection) => void): number | null => {
      const projection = new QueueProjection(CONCERT, policy, 1, 1);
      add(projection);
      expect(projection.stateOf('p', 1, nowMs).status).toBe('ACTIVE');
      return projection.pace.perSecond(nowMs + 4 * SECOND_MS);
    };
    expect(
      paceAfter((projection) => {
        projection.addActive(place);
      }),
    ).toBeNull();
    expect(
      paceAfter((projection) => {
        projection.admit([place]);
      }),
    ).not.toBeNull();
  });
});

describe('flushing last-seen times to the database', () => {
  const IDLE_MS = 100 * SECOND_MS;
  const startMs = 1_000_000_000;
  const activeAt = (number: number, lastSeenAtMs: number): ActivePlace => ({
    concertId: CONCERT,
    placeId: `p${number}`,
    userId: `u${number}`,
    number,
    joinedAtMs: lastSeenAtMs,
    activatedAtMs: lastSeenAtMs,
    expiresAtMs: Number.MAX_SAFE_INTEGER,
    lastSeenAtMs,
    persistedLastSeenAtMs: lastSeenAtMs,
  });
  function projectionOf(...places: ActivePlace[]): QueueProjection {
    const policy = { ...new ModelQueue(0).policy, idleSeconds: IDLE_MS / SECOND_MS };
    const projection = new QueueProjection(CONCERT, policy, places.length, places.length);
    projection.admit(places);
    return projection;
  }
  const numbers = (places: readonly ActivePlace[]): number[] => places.map(({ number }) => number);

  it('is due only for places whose persisted time is a tenth of idleSeconds old', () => {
    const [first, second] = [activeAt(1, startMs), activeAt(2, startMs + 8000)] as const;
    const projection = projectionOf(first, second);
    for (const place of [first, second]) projection.touch(place, startMs + 9000);
    expect(numbers(projection.dueForFlush(startMs + 9999))).toEqual([]);
    expect(numbers(projection.dueForFlush(startMs + 10_000))).toEqual([1]);
    expect(numbers(projection.dueForFlush(startMs + 18_000))).toEqual([1, 2]);
    projection.recordPersistedLastSeen(1, startMs + 9000);
    expect(numbers(projection.dueForFlush(startMs + 18_000))).toEqual([2]);
    projection.recordPersistedLastSeen(2, startMs + 9000);
    expect(numbers(projection.dueForFlush(startMs + 60_000))).toEqual([]);
  });

  it('is due a tenth of idleSeconds after the time that another process has persisted', () => {
    const place = activeAt(1, startMs);
    const projection = projectionOf(place);
    expect(numbers(projection.dueForFlush(startMs + 30_000))).toEqual([]);
    projection.recordPersistedLastSeen(1, startMs + 50_000);
    projection.touch(place, startMs + 59_000);
    expect(numbers(projection.dueForFlush(startMs + 59_999))).toEqual([]);
    expect(numbers(projection.dueForFlush(startMs + 60_000))).toEqual([1]);
  });

  it('is due at shutdown for every place seen since the last flush', () => {
    const [first, second] = [activeAt(1, startMs), activeAt(2, startMs)] as const;
    const projection = projectionOf(first, second);
    projection.touch(first, startMs + 1);
    expect(numbers(projection.dueForFlush(startMs + 1))).toEqual([]);
    expect(numbers(projection.dueForFlush(Infinity))).toEqual([1]);
  });

  it('is due immediately for a place that is seen again after a longer silence', () => {
    const place = activeAt(1, startMs);
    const projection = projectionOf(place);
    expect(numbers(projection.dueForFlush(startMs + 50_000))).toEqual([]);
    projection.touch(place, startMs + 50_001);
    expect(numbers(projection.dueForFlush(startMs + 50_001))).toEqual([1]);
    expect(projection.isFlushOverdue(place)).toBe(true);
  });

  it('is not due while idleSeconds is null, and due again once it is set', () => {
    const place = activeAt(1, startMs);
    const projection = projectionOf(place);
    projection.changePolicy({ ...projection.policy, idleSeconds: null }, startMs);
    projection.touch(place, startMs + 10 * IDLE_MS);
    expect(numbers(projection.dueForFlush(startMs + 10 * IDLE_MS))).toEqual([]);
    projection.changePolicy({ ...projection.policy, idleSeconds: 1 }, startMs + 20 * IDLE_MS);
    expect(projection.isExpired(place, startMs + 20 * IDLE_MS + 999)).toBe(false);
    expect(projection.isExpired(place, startMs + 20 * IDLE_MS + 1000)).toBe(true);
    expect(numbers(projection.dueForFlush(startMs + 20 * IDLE_MS))).toEqual([1]);
  });
});
