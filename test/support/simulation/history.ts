import fc from 'fast-check';
import type { PolicyPatch } from '../../../src/waiting-room/index.js';
import { FANS, SEATS } from './hall.js';
import type { DeathPoint } from './mortal.js';

/** What somebody wants. Fans to book, places, holds and payments are picked from those there are when it is asked. */
export type Ask =
  | { readonly do: 'join'; readonly fan: string }
  | { readonly do: 'poll' | 'leave'; readonly pick: number }
  | {
      readonly do: 'hold';
      readonly pick: number;
      readonly seats: readonly string[];
      readonly as: As;
      readonly keyed: boolean;
    }
  | {
      readonly do: 'best';
      readonly pick: number;
      readonly dateId: string;
      readonly count: number;
      readonly as: As;
      readonly keyed: boolean;
    }
  | { readonly do: 'release'; readonly pick: number; readonly stranger: string | null }
  | {
      readonly do: 'pay';
      readonly pick: number;
      readonly stranger: string | null;
      readonly as: As;
      readonly keyed: boolean;
    }
  | { readonly do: 'charge'; readonly fan: string; readonly amount: number; readonly keyed: boolean }
  | { readonly do: 'refund'; readonly pick: number; readonly keyed: boolean }
  | { readonly do: 'policy'; readonly patch: PolicyPatch }
  /** Whoever sent a key sends the very same request again. */
  | { readonly do: 'again'; readonly pick: number }
  | { readonly do: 'move lines' | 'expire holds' };

/** By which of the two credentials. */
export type As = 'access' | 'queue';

/** Asked so many turns of the event loop, and so long, after the one before: nobody waits for anybody's answer. */
export interface TimedAsk {
  readonly ask: Ask;
  readonly turns: number;
  readonly ms: number;
}

/** What is asked at about the same time, and whether the process dies of it. */
export interface Burst {
  readonly waitMs: number;
  readonly asks: readonly TimedAsk[];
  readonly death: DeathPoint | null;
  /** Whether the scheduler has its turn afterwards. */
  readonly settles: boolean;
}

export interface History {
  readonly policy: PolicyPatch;
  /** Those who are there when the sale opens, with money in their wallets. */
  readonly crowd: readonly string[];
  readonly bursts: readonly Burst[];
  /** What the engine's own dice are thrown with. */
  readonly chance: number;
}

const SECOND_MS = 1000;
const fan = fc.constantFrom(...FANS);
const pick = fc.nat({ max: 1000 });
const keyed = fc.boolean();
const as = fc.constantFrom<As>('access', 'queue', 'queue');
/** Mostly not. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>, weight: number): fc.Arbitrary<T | null> =>
  fc.oneof({ weight, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
const stranger = seldom(fan, 12);
const seconds = (max: number) => fc.integer({ min: 1, max });
/** Whole seconds often: what ends at an instant is looked at in that instant. */
const ms = (max: number) =>
  fc.oneof(
    fc.integer({ min: 0, max: max / SECOND_MS }).map((count) => count * SECOND_MS),
    fc.integer({ min: 0, max }),
  );

const patch: fc.Arbitrary<PolicyPatch> = fc.oneof(
  fc.record({ maxActive: fc.option(fc.integer({ min: 0, max: 5 })) }),
  fc.record({ idleSeconds: fc.option(seconds(12)) }),
  fc.record({ activeSeconds: seconds(40) }),
  fc.record({ holdSeconds: seconds(20) }),
  fc.record({ maxSeatsPerUser: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ consumeOn: fc.constantFrom('PAYMENT' as const, 'RESERVATION' as const) }),
  fc.record({ paused: fc.boolean() }),
  fc.constant({ admitCount: null, admitEverySeconds: null }),
  fc.record({ admitCount: seconds(3), admitEverySeconds: seconds(10) }),
);

/** One to three seats of one date. */
const seats = fc
  .uniqueArray(fc.constantFrom(...SEATS), { minLength: 1, maxLength: 3, selector: ({ id }) => id })
  .map((chosen) =>
    chosen.filter(({ dateId }) => dateId === chosen[0]?.dateId).map((seat): string => seat.id),
  );

const ask: fc.Arbitrary<Ask> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ do: fc.constant('join' as const), fan }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('poll' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('leave' as const), pick }) },
  { weight: 12, arbitrary: fc.record({ do: fc.constant('hold' as const), pick, seats, as, keyed }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('best' as const),
      pick,
      dateId: fc.constantFrom(...new Set(SEATS.map(({ dateId }) => dateId))),
      count: fc.integer({ min: 1, max: 3 }),
      as,
      keyed,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const), pick, stranger }) },
  { weight: 14, arbitrary: fc.record({ do: fc.constant('pay' as const), pick, stranger, as, keyed }) },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('charge' as const),
      fan,
      amount: fc.constantFrom(0, 50, 100, 150, 250, 400),
      keyed,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('refund' as const), pick, keyed }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('policy' as const), patch }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('again' as const), pick }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('move lines' as const, 'expire holds' as const) }),
  },
);

const death: fc.Arbitrary<DeathPoint> = fc.oneof(
  fc.record({ when: fc.constant('statement' as const), count: fc.integer({ min: 1, max: 25 }) }),
  fc.record({
    when: fc.constantFrom('before commit' as const, 'after commit' as const),
    count: fc.integer({ min: 1, max: 3 }),
  }),
);

const burst: fc.Arbitrary<Burst> = fc.record({
  waitMs: fc.oneof(fc.constant(0), ms(6 * SECOND_MS)),
  asks: fc.array(
    fc.record({
      ask,
      turns: fc.constantFrom(0, 0, 0, 1, 2),
      ms: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: ms(2 * SECOND_MS) }),
    }),
    { minLength: 1, maxLength: 6, size: 'max' },
  ),
  death: seldom(death, 7),
  settles: fc.boolean(),
});

/** Without a bias to small numbers: each seed is one history, not one of many that grow. */
export const histories: fc.Arbitrary<History> = fc.noBias(
  fc.record({
    policy: fc
      .array(patch, { maxLength: 3 })
      .map((patches): PolicyPatch =>
        Object.assign({ maxActive: 3, idleSeconds: null, holdSeconds: 6 }, ...patches),
      ),
    crowd: fc.uniqueArray(fan, { maxLength: FANS.length, size: 'max' }),
    bursts: fc.array(burst, { minLength: 4, maxLength: 8, size: 'max' }),
    chance: fc.integer(),
  }),
);
