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
/** Whole seconds often: what ends at an instant is looked at in that instant. */
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

/** A line as a plain array of places in the order of joining, beside the view that is to agree with it. */
class Line {
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
  view: QueueProjection;
  /** Numbers that were given, admitted and ended before the history begins. */
  readonly #past: number;

  constructor(past: number) {
    this.#past = past;
    this.view = new QueueProjection(CONCERT, this.policy, past, past);
  }

  in(state: ModelPlace['state']): ModelPlace[] {
    return this.places.filter((place) => place.state === state);
  }

  isOver({ active }: ModelPlace): boolean {
    if (!active) return false;
    const { idleSeconds } = this.policy;
    if (active.expiresAtMs <= this.nowMs) return true;
    return idleSeconds !== null && active.lastSeenAtMs + idleSeconds * SECOND_MS <= this.nowMs;
  }

  take(step: Step): void {
    switch (step.do) {
      case 'join':
        for (let count = 0; count < step.count; count += 1) {
          this.places.push({
            number: this.#past + this.places.length + 1,
            state: 'WAITING',
            lastRank: Infinity,
          });
        }
        this.view.growTo(this.#past + this.places.length);
        break;
      case 'admit':
        this.#admit(this.in('WAITING').slice(0, step.count), step.seconds * SECOND_MS);
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
        this.#change(step.do, step.pick);
    }
  }

  #changePolicy(policy: Policy): void {
    const idleOf = ({ idleSeconds }: Policy): number => idleSeconds ?? Infinity;
    const isShorter = idleOf(policy) < idleOf(this.policy);
    const expected = this.in('ACTIVE').map((place) =>
      isShorter && !this.isOver(place) ? this.nowMs : place.active!.lastSeenAtMs,
    );
    this.policy = policy;
    this.view.changePolicy(policy, this.nowMs);
    expect(this.in('ACTIVE').map(({ active }) => active!.lastSeenAtMs)).toEqual(expected);
  }

  #change(what: 'leave' | 'end' | 'touch', pick: number): void {
    const candidates = this.in(what === 'leave' ? 'WAITING' : 'ACTIVE');
    const place = candidates[pick % Math.max(1, candidates.length)];
    if (!place) return;
    if (what === 'leave') {
      place.state = 'LEFT';
      this.view.removeWaiting(place.number);
    } else if (what === 'end') {
      place.state = 'ENDED';
      expect(this.view.removeActive(place.number)).toBe(place.active);
      expect(this.view.removeActive(place.number)).toBeUndefined();
    } else {
      const seenBefore = place.active!.lastSeenAtMs;
      const over = this.isOver(place);
      this.view.touch(place.active!, this.nowMs);
      expect(place.active!.lastSeenAtMs).toBe(over ? seenBefore : this.nowMs);
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
    this.view.admit(places.map(({ active }) => active!));
  }

  /** As after a restart: only the ends of the line, who left behind the last one admitted, and who is ACTIVE. */
  #rebuild(): void {
    const admitted = this.places.filter(({ active }) => active).map(({ number }) => number);
    const admittedThrough = Math.max(this.#past, ...admitted);
    this.view = new QueueProjection(CONCERT, this.policy, this.#past + this.places.length, admittedThrough);
    for (const { number } of this.in('LEFT')) if (number > admittedThrough) this.view.removeWaiting(number);
    for (const { active } of this.in('ACTIVE')) this.view.admit([active!]);
  }

  check(): void {
    const { view, nowMs } = this;
    const active = this.in('ACTIVE');
    const someoneOver = active.some((place) => this.isOver(place));
    const { maxActive, paused } = this.policy;
    const last = this.#past + this.places.length;
    const seen = {
      last: view.lastNumber,
      waiting: view.waiting,
      active: view.activeCount,
      hasRunOut: view.hasExpired(nowMs),
      hasRoom: view.hasFreeSlot(nowMs),
      standings: this.places.map(({ number }) => view.stateOf(`p${number}`, number, nowMs)),
      strangers: active.map(({ number }) => view.stateOf('a stranger', number, nowMs).status),
      next: view.stateOf('nobody yet', last + 1, nowMs).status,
    };
    expect(seen).toEqual({
      last,
      waiting: this.in('WAITING').length,
      active: active.length,
      hasRunOut: someoneOver,
      hasRoom: !paused && (maxActive === null || active.length < maxActive || someoneOver),
      standings: this.#standings(),
      strangers: active.map(() => 'ENDED'),
      next: 'UNKNOWN',
    });
    for (const [index, standing] of seen.standings.entries())
      this.#mustNotGrow(this.places[index]!, standing);
  }

  #mustNotGrow(place: ModelPlace, standing: PlaceState): void {
    if (standing.status !== 'WAITING') return;
    if (standing.rank > place.lastRank) expect.fail(`the rank of ${place.number} grew to ${standing.rank}`);
    place.lastRank = standing.rank;
  }

  #standings(): PlaceState[] {
    const frontier = Math.max(0, ...this.places.filter(({ active }) => active).map(({ number }) => number));
    let rank = 0;
    return this.places.map((place) => {
      if (place.state === 'WAITING') rank += 1;
      return this.#standingOf(place, rank, frontier);
    });
  }

  #standingOf(place: ModelPlace, rank: number, frontier: number): PlaceState {
    switch (place.state) {
      case 'WAITING':
        return { status: 'WAITING', rank };
      case 'LEFT':
        return { status: place.number > frontier ? 'LEFT' : 'ENDED' };
      case 'ENDED':
        return { status: 'ENDED' };
      case 'ACTIVE':
        return { status: this.isOver(place) ? 'EXPIRED' : 'ACTIVE', place: place.active! };
    }
  }
}

describe('the view of a line', () => {
  it('agrees with a plain list of places after every step of any history', () => {
    const past = fc.constantFrom(0, 1, 30, 1020, 4093);
    let steps = 0;
    fc.assert(
      fc.property(past, fc.array(step, { minLength: 10, maxLength: 80 }), (before, history) => {
        const line = new Line(before);
        line.check();
        for (const each of history) {
          line.take(each);
          line.check();
          steps += 1;
        }
      }),
      { numRuns: 400 },
    );
    expect(steps).toBeGreaterThan(4000);
  });
});

describe('a place read back when the server starts', () => {
  it('is ACTIVE again, and says nothing about the pace of the line', () => {
    const { policy, nowMs } = new Line(0);
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
    const paceOf = (take: (room: QueueProjection) => void): number | null => {
      const room = new QueueProjection(CONCERT, policy, 1, 1);
      take(room);
      expect(room.stateOf('p', 1, nowMs).status).toBe('ACTIVE');
      return room.pace.perSecond(nowMs + 4 * SECOND_MS);
    };
    expect(
      paceOf((room) => {
        room.addActive(place);
      }),
    ).toBeNull();
    expect(
      paceOf((room) => {
        room.admit([place]);
      }),
    ).not.toBeNull();
  });
});

describe('telling the database who has been here', () => {
  const IDLE_MS = 100 * SECOND_MS;
  const at = 1_000_000_000;
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
  function roomOf(...places: ActivePlace[]): QueueProjection {
    const policy = { ...new Line(0).policy, idleSeconds: IDLE_MS / SECOND_MS };
    const room = new QueueProjection(CONCERT, policy, places.length, places.length);
    room.admit(places);
    return room;
  }
  const numbers = (places: readonly ActivePlace[]): number[] => places.map(({ number }) => number);

  it('is done of those alone whom it has not heard of for a tenth of the idle time', () => {
    const [first, second] = [activeAt(1, at), activeAt(2, at + 8000)] as const;
    const room = roomOf(first, second);
    for (const place of [first, second]) room.touch(place, at + 9000);
    expect(numbers(room.dueForFlush(at + 9999))).toEqual([]);
    expect(numbers(room.dueForFlush(at + 10_000))).toEqual([1]);
    expect(numbers(room.dueForFlush(at + 18_000))).toEqual([1, 2]);
    room.recordPersistedLastSeen(1, at + 9000);
    expect(numbers(room.dueForFlush(at + 18_000))).toEqual([2]);
    room.recordPersistedLastSeen(2, at + 9000);
    expect(numbers(room.dueForFlush(at + 60_000))).toEqual([]);
  });

  it('is due in time for whoever another process has told of since', () => {
    const place = activeAt(1, at);
    const room = roomOf(place);
    expect(numbers(room.dueForFlush(at + 30_000))).toEqual([]);
    room.recordPersistedLastSeen(1, at + 50_000);
    room.touch(place, at + 59_000);
    expect(numbers(room.dueForFlush(at + 59_999))).toEqual([]);
    expect(numbers(room.dueForFlush(at + 60_000))).toEqual([1]);
  });

  it('is done of everybody at the end', () => {
    const [first, second] = [activeAt(1, at), activeAt(2, at)] as const;
    const room = roomOf(first, second);
    room.touch(first, at + 1);
    expect(numbers(room.dueForFlush(at + 1))).toEqual([]);
    expect(numbers(room.dueForFlush(Infinity))).toEqual([1]);
  });

  it('is due at once for whoever comes back after being silent for longer', () => {
    const place = activeAt(1, at);
    const room = roomOf(place);
    expect(numbers(room.dueForFlush(at + 50_000))).toEqual([]);
    room.touch(place, at + 50_001);
    expect(numbers(room.dueForFlush(at + 50_001))).toEqual([1]);
    expect(room.isFlushOverdue(place)).toBe(true);
  });

  it('is never needed where nobody can idle out', () => {
    const place = activeAt(1, at);
    const room = roomOf(place);
    room.changePolicy({ ...room.policy, idleSeconds: null }, at);
    room.touch(place, at + 10 * IDLE_MS);
    expect(numbers(room.dueForFlush(at + 10 * IDLE_MS))).toEqual([]);
    room.changePolicy({ ...room.policy, idleSeconds: 1 }, at + 20 * IDLE_MS);
    expect(room.isExpired(place, at + 20 * IDLE_MS + 999)).toBe(false);
    expect(room.isExpired(place, at + 20 * IDLE_MS + 1000)).toBe(true);
    expect(numbers(room.dueForFlush(at + 20 * IDLE_MS))).toEqual([1]);
  });
});
