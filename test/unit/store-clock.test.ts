import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StoreClock } from '../../src/platform/sql/postgres/store-clock.js';

const STORE_MS = 1_800_000_000_000;

describe('the store clock', () => {
  let ownMs = 0;
  const clock = () => new StoreClock();

  beforeEach(() => {
    ownMs = 1000;
    vi.spyOn(performance, 'now').mockImplementation(() => ownMs);
  });
  afterEach(() => vi.restoreAllMocks());

  it('returns the database time plus half a round trip, and advances from there', () => {
    const store = clock();
    store.learn(1000, 1010, STORE_MS);
    ownMs = 1010;
    expect(store.nowMs()).toBe(STORE_MS + 5);
    ownMs = 3010;
    expect(store.nowMs()).toBe(STORE_MS + 2005);
  });

  it('prefers the sample with the shortest round trip', () => {
    const store = clock();
    store.learn(1000, 1002, STORE_MS);
    // Delayed on the way back, so half of the round trip is a poor estimate.
    store.learn(2000, 2080, STORE_MS + 1001);
    ownMs = 2080;
    expect(store.nowMs()).toBe(STORE_MS + 1079);
  });

  it('prefers a slower sample once the quick one is old', () => {
    const store = clock();
    store.learn(1000, 1002, STORE_MS);
    store.learn(20_000, 20_020, STORE_MS + 19_030);
    ownMs = 20_020;
    expect(store.nowMs()).toBe(STORE_MS + 19_040);
  });

  it('ignores a very slow sample even if the last quick one is a minute old', () => {
    const store = clock();
    store.learn(1000, 1002, STORE_MS);
    // The whole round trip was spent on the way to the server.
    store.learn(61_000, 61_800, STORE_MS + 60_799);
    ownMs = 61_800;
    expect(store.nowMs()).toBe(STORE_MS + 60_799);
  });

  it('follows a database whose clock was set, or a promoted standby', () => {
    const store = clock();
    store.learn(1000, 1002, STORE_MS);
    store.learn(2000, 2020, STORE_MS + 61_000);
    ownMs = 2020;
    expect(store.nowMs()).toBe(STORE_MS + 61_010);
  });

  it('never goes backwards', () => {
    const store = clock();
    store.learn(1000, 1000, STORE_MS);
    expect(store.nowMs()).toBe(STORE_MS);
    store.learn(1001, 1001, STORE_MS - 30_000);
    ownMs = 1001;
    expect(store.nowMs()).toBe(STORE_MS);
    ownMs = 40_001;
    expect(store.nowMs()).toBe(STORE_MS + 9000);
  });
});
