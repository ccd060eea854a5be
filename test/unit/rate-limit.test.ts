import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bucket, createRateLimiter } from '../../src/platform/rate-limit/index.js';

const START_MS = Date.parse('2026-11-15T09:00:00.000Z');
const signIn: Bucket = { name: 'sign-in', burst: 3, perSecond: 2 };
const once: Bucket = { name: 'once', burst: 1, perSecond: 0.001 };

function setUp(keysMax?: number) {
  let nowMs = START_MS;
  const clock = () => nowMs;
  const limiter = createRateLimiter(keysMax === undefined ? { clock } : { clock, keysMax });
  return {
    limiter,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

describe('a token bucket', () => {
  it('allows a burst, then returns how long to wait', () => {
    const { limiter } = setUp();
    expect([1, 2, 3].map(() => limiter.take(signIn, 'fan'))).toEqual([0, 0, 0]);
    expect(limiter.take(signIn, 'fan')).toBe(500);
  });

  it('counts down the wait and allows one request at its end', () => {
    const { limiter, pass } = setUp();
    for (let i = 0; i < 3; i++) limiter.take(signIn, 'fan');
    pass(400);
    expect(limiter.take(signIn, 'fan')).toBe(100);
    pass(99);
    expect(limiter.take(signIn, 'fan')).toBe(1);
    pass(1);
    expect(limiter.take(signIn, 'fan')).toBe(0);
    expect(limiter.take(signIn, 'fan')).toBe(500);
  });

  it('does not extend the wait of a caller that retries too early', () => {
    const { limiter, pass } = setUp();
    for (let i = 0; i < 3; i++) limiter.take(signIn, 'fan');
    for (let i = 0; i < 1000; i++) expect(limiter.take(signIn, 'fan')).toBe(500);
    pass(500);
    expect(limiter.take(signIn, 'fan')).toBe(0);
  });

  it('never holds more than its burst, however long it was unused', () => {
    const { limiter, pass } = setUp();
    limiter.take(signIn, 'fan');
    pass(3_600_000);
    expect([1, 2, 3, 4].map(() => limiter.take(signIn, 'fan'))).toEqual([0, 0, 0, 500]);
  });

  it('exists once per name and key', () => {
    const { limiter } = setUp();
    expect(limiter.take(once, 'a')).toBe(0);
    expect(limiter.take(once, 'b')).toBe(0);
    expect(limiter.take({ ...once, name: 'other' }, 'a')).toBe(0);
    expect(limiter.take(once, 'a')).toBeGreaterThan(0);
  });

  it('keeps serving when the clock is set back', () => {
    const { limiter, pass } = setUp();
    for (let i = 0; i < 3; i++) limiter.take(signIn, 'fan');
    pass(-3_600_000);
    expect(limiter.take(signIn, 'fan')).toBe(500);
    pass(500);
    expect(limiter.take(signIn, 'fan')).toBe(0);
  });

  it('must allow at least one request', () => {
    const { limiter } = setUp();
    expect(() => limiter.take({ name: 'shut', burst: 0, perSecond: 1 }, 'fan')).toThrow('shut');
    expect(() => limiter.take({ name: 'dry', burst: 1, perSecond: 0 }, 'fan')).toThrow('dry');
  });

  it('allows its whole burst and returns exact waits at any rate', () => {
    const rate = fc.record({
      burst: fc.integer({ min: 1, max: 200 }),
      perSecond: fc.double({ min: 0.01, max: 500, noNaN: true }),
    });
    fc.assert(
      fc.property(rate, (numbers) => {
        const bucket: Bucket = { name: 'any', ...numbers };
        const { limiter, pass } = setUp();
        for (let i = 0; i < bucket.burst; i++) expect(limiter.take(bucket, 'fan')).toBe(0);
        for (let i = 0; i < 20; i++) {
          const waitMs = limiter.take(bucket, 'fan');
          expect(waitMs).toBeGreaterThan(0);
          expect(Number.isInteger(waitMs)).toBe(true);
          pass(waitMs - 1);
          expect(limiter.take(bucket, 'fan')).toBe(1);
          pass(1);
          expect(limiter.take(bucket, 'fan')).toBe(0);
          // Rounding the wait up leaves a fraction of a token. Use it up, so that the next wait is a whole one.
          while (limiter.take(bucket, 'fan') === 0);
        }
      }),
    );
  });
});

describe('the buckets in memory', () => {
  it('never exceed the maximum', () => {
    const { limiter } = setUp(100);
    for (let i = 0; i < 1000; i++) {
      limiter.take(once, `fan ${i}`);
      expect(limiter.size).toBeLessThanOrEqual(100);
    }
  });

  it('are removed once full, a few with each new one, before any other', () => {
    const { limiter, pass } = setUp(100);
    limiter.take(once, 'early');
    for (let i = 0; i < 99; i++) limiter.take(signIn, `fan ${i}`);
    pass(600);
    limiter.take(once, 'newcomer 0');
    expect(limiter.size).toBeGreaterThanOrEqual(97);
    expect(limiter.size).toBeLessThan(100);
    for (let i = 1; i < 40; i++) limiter.take(once, `newcomer ${i}`);
    expect(limiter.size).toBe(41);
    for (let i = 0; i < 40; i++) expect(limiter.take(once, `newcomer ${i}`)).toBeGreaterThan(0);
    expect(limiter.take(once, 'early')).toBeGreaterThan(0);
  });

  it('are checked again if they were not full at the last check', () => {
    const { limiter, pass } = setUp(100);
    for (let i = 0; i < 50; i++) limiter.take(signIn, `fan ${i}`);
    pass(600);
    const often: Bucket = { name: 'often', burst: 100, perSecond: 1 };
    for (let i = 0; i < 30; i++) limiter.take(often, 'regular');
    expect(limiter.size).toBe(1);
  });

  it('lose the oldest when none is full', () => {
    const { limiter } = setUp(100);
    for (let i = 0; i < 100; i++) limiter.take(once, `fan ${i}`);
    limiter.take(once, 'newcomer');
    expect(limiter.size).toBe(100);
    for (let i = 1; i < 100; i++) expect(limiter.take(once, `fan ${i}`)).toBeGreaterThan(0);
    expect(limiter.take(once, 'newcomer')).toBeGreaterThan(0);
    expect(limiter.take(once, 'fan 0')).toBe(0);
    expect(limiter.take(once, 'fan 1')).toBe(0);
  });

  it('are ordered by their last token, not by their first', () => {
    const { limiter } = setUp(10);
    const twice: Bucket = { ...once, burst: 2 };
    for (let i = 0; i < 10; i++) limiter.take(twice, `fan ${i}`);
    limiter.take(twice, 'fan 0');
    limiter.take(twice, 'newcomer');
    expect(limiter.take(twice, 'fan 0')).toBeGreaterThan(0);
  });

  it('stay consistent under any sequence of requests', () => {
    const second: Bucket = { name: 'second', burst: 1, perSecond: 1 };
    const often: Bucket = { name: 'often', burst: 100, perSecond: 1 };
    const request = fc.record({ key: fc.nat({ max: 9 }), afterMs: fc.constantFrom(0, 0, 300, 1000) });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 60 }), (requests) => {
        const { limiter, pass } = setUp(5);
        for (const { key, afterMs } of requests) {
          pass(afterMs);
          limiter.take(second, `fan ${key}`);
          expect(limiter.take(second, `fan ${key}`)).toBeGreaterThan(0);
          expect(limiter.size).toBeLessThanOrEqual(5);
        }
        pass(1000);
        for (let i = 0; i < 10; i++) expect(limiter.take(often, 'regular')).toBe(0);
        expect(limiter.size).toBe(1);
      }),
      { numRuns: 500 },
    );
  });

  it('do not grow by refused requests', () => {
    const { limiter } = setUp();
    for (let i = 0; i < 50; i++) limiter.take(once, 'fan');
    expect(limiter.size).toBe(1);
  });
});
