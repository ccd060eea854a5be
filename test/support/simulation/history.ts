import fc from 'fast-check';
import type { PolicyPatch } from '../../../src/waiting-room/index.js';
import type { CrashPoint } from './crash-injector.js';
import { FANS, SEATS } from './sale-fixture.js';

/**
 * Generates random histories. An action does not name ids, which are unknown in advance: `pick` selects one of the fans,
 * places, holds or payments that exist when the action is run.
 */
export type Action =
  | { readonly kind: 'join'; readonly fan: string }
  | { readonly kind: 'poll' | 'leave'; readonly pick: number }
  | {
      readonly kind: 'hold';
      readonly pick: number;
      readonly seats: readonly string[];
      readonly credential: Credential;
      readonly keyed: boolean;
    }
  | {
      readonly kind: 'best';
      readonly pick: number;
      readonly dateId: string;
      readonly count: number;
      readonly credential: Credential;
      readonly keyed: boolean;
    }
  | { readonly kind: 'release'; readonly pick: number; readonly otherFan: string | null }
  | {
      readonly kind: 'pay';
      readonly pick: number;
      readonly otherFan: string | null;
      readonly credential: Credential;
      readonly keyed: boolean;
    }
  | { readonly kind: 'charge'; readonly fan: string; readonly amount: number; readonly keyed: boolean }
  | { readonly kind: 'refund'; readonly pick: number; readonly keyed: boolean }
  | { readonly kind: 'policy'; readonly patch: PolicyPatch }
  /** Moves the end of the sale to this long from now; null: to the last date. */
  | { readonly kind: 'move closing'; readonly inMs: number | null }
  /** Sends an earlier request with a key again, unchanged. */
  | { readonly kind: 'resend'; readonly pick: number }
  | { readonly kind: 'run admission' | 'expire holds' };

/** An access token or a queue token. */
export type Credential = 'access' | 'queue';

/** Sent this long after the previous action, without waiting for its response. */
export interface TimedAction {
  readonly action: Action;
  /** Iterations of the event loop. */
  readonly ticksBefore: number;
  /** Virtual time. */
  readonly msBefore: number;
}

/** Concurrent requests, and where the process crashes while it serves them. */
export interface Burst {
  readonly waitMs: number;
  readonly actions: readonly TimedAction[];
  readonly crash: CrashPoint | null;
  /** Whether the admission job runs afterwards. */
  readonly runsAdmission: boolean;
}

export interface History {
  readonly policy: PolicyPatch;
  /** The fans who join when the sale opens, with a charged wallet. */
  readonly firstFans: readonly string[];
  readonly bursts: readonly Burst[];

  readonly mathRandomSeed: number;
}

const SECOND_MS = 1000;
const fan = fc.constantFrom(...FANS);
const pick = fc.nat({ max: 1000 });
const keyed = fc.boolean();
const credential = fc.constantFrom<Credential>('access', 'queue', 'queue');
/** Null in `weight` of `weight` + 1 cases. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>, weight: number): fc.Arbitrary<T | null> =>
  fc.oneof({ weight, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
/** Instead of the owner: such a request must be refused. */
const otherFan = rarely(fan, 12);
const seconds = (max: number) => fc.integer({ min: 1, max });
/** Often whole seconds, so that requests arrive at exactly the time when something expires. */
const ms = (max: number) =>
  fc.oneof(
    fc.integer({ min: 0, max: max / SECOND_MS }).map((count) => count * SECOND_MS),
    fc.integer({ min: 0, max }),
  );

const patch: fc.Arbitrary<PolicyPatch> = fc.oneof(
  fc.record({ maxActive: fc.option(fc.integer({ min: 0, max: 5 })) }),
  fc.record({ idleSeconds: fc.option(seconds(12)) }),
  fc.record({ showUpSeconds: fc.option(seconds(8)) }),
  fc.record({ activeSeconds: seconds(40) }),
  fc.record({ holdSeconds: seconds(20) }),
  fc.record({ maxSeatsPerUser: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ consumeOn: fc.constantFrom('PAYMENT' as const, 'RESERVATION' as const) }),
  fc.record({ paused: fc.boolean() }),
  fc.record({ closeWhenSoldOut: fc.boolean() }),
  fc.constant({ admitCount: null, admitEverySeconds: null }),
  fc.record({ admitCount: seconds(3), admitEverySeconds: seconds(10) }),
);

/** One to three seats of one date. */
const seats = fc
  .uniqueArray(fc.constantFrom(...SEATS), { minLength: 1, maxLength: 3, selector: ({ id }) => id })
  .map((chosen) =>
    chosen.filter(({ dateId }) => dateId === chosen[0]?.dateId).map((seat): string => seat.id),
  );

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ kind: fc.constant('join' as const), fan }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('poll' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('leave' as const), pick }) },
  {
    weight: 12,
    arbitrary: fc.record({ kind: fc.constant('hold' as const), pick, seats, credential, keyed }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('best' as const),
      pick,
      dateId: fc.constantFrom(...new Set(SEATS.map(({ dateId }) => dateId))),
      count: fc.integer({ min: 1, max: 3 }),
      credential,
      keyed,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('release' as const), pick, otherFan }) },
  {
    weight: 14,
    arbitrary: fc.record({ kind: fc.constant('pay' as const), pick, otherFan, credential, keyed }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constant('charge' as const),
      fan,
      amount: fc.constantFrom(0, 50, 100, 150, 250, 400),
      keyed,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('refund' as const), pick, keyed }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('policy' as const), patch }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('resend' as const), pick }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('move closing' as const),
      inMs: fc.oneof(fc.constantFrom(null, null, 0), ms(10 * SECOND_MS)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('run admission' as const, 'expire holds' as const) }),
  },
);

const crash: fc.Arbitrary<CrashPoint> = fc.oneof(
  fc.record({ when: fc.constant('statement' as const), count: fc.integer({ min: 1, max: 25 }) }),
  fc.record({
    when: fc.constantFrom('before commit' as const, 'after commit' as const),
    count: fc.integer({ min: 1, max: 3 }),
  }),
);

const burst: fc.Arbitrary<Burst> = fc.record({
  waitMs: fc.oneof(fc.constant(0), ms(6 * SECOND_MS)),
  actions: fc.array(
    fc.record({
      action,
      ticksBefore: fc.constantFrom(0, 0, 0, 1, 2),
      msBefore: fc.oneof(
        { weight: 4, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: ms(2 * SECOND_MS) },
      ),
    }),
    { minLength: 1, maxLength: 6, size: 'max' },
  ),
  crash: rarely(crash, 7),
  runsAdmission: fc.boolean(),
});

/** `noBias`: fast-check would otherwise start each seed with small values, and a seed here is a single history. */
export const histories: fc.Arbitrary<History> = fc.noBias(
  fc.record({
    policy: fc
      .array(patch, { maxLength: 3 })
      .map((patches): PolicyPatch =>
        Object.assign({ maxActive: 3, idleSeconds: null, holdSeconds: 6 }, ...patches),
      ),
    firstFans: fc.uniqueArray(fan, { maxLength: FANS.length, size: 'max' }),
    bursts: fc.array(burst, { minLength: 4, maxLength: 8, size: 'max' }),
    mathRandomSeed: fc.integer(),
  }),
);
