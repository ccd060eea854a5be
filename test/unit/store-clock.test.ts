import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StoreClock } from '../../src/platform/sql/postgres/store-clock.js';

const STORE_MS = 1_800_000_000_000;

describe("the store's clock", () => {
  let ownMs = 0;
  const clock = () => new StoreClock();

  beforeEach(() => {
    ownMs = 1000;
    vi.spyOn(performance, 'now').mockImplementation(() => ownMs);
  });
  afterEach(() => vi.restoreAllMocks());

  it('says what the database said, half a round trip later, and goes on from there', () => {
    const store = clock();
    store.learn(1000, 1010, STORE_MS);
    ownMs = 1010;
    expect(store.nowMs()).toBe(STORE_MS + 5);
    ownMs = 3010;
    expect(store.nowMs()).toBe(STORE_MS + 2005);
  });

  it('believes the quickest answer of the last seconds', () => {
    const store = clock();
    store.learn(1000, 1002, STORE_MS);
    // Stuck on the way back: half of its round trip says little.
    store.learn(2000, 2080, STORE_MS + 1001);
    ownMs = 2080;
    expect(store.nowMs()).toBe(STORE_MS + 1079);
  });

  it('believes a slower answer once the quick one is old', () => {
    const store = clock();
    store.learn(1000, 1002, STORE_MS);
    store.learn(20_000, 20_020, STORE_MS + 19_030);
    ownMs = 20_020;
    expect(store.nowMs()).toBe(STORE_MS + 19_040);
  });

  it('is not led astray by a slow wire, though the last quick answer is a minute ago', () => {
    const store = clock();
    store.learn(1000, 1002, STORE_MS);
    // All of its time was spent on the way there.
    store.learn(61_000, 61_800, STORE_MS + 60_799);
    ownMs = 61_800;
    expect(store.nowMs()).toBe(STORE_MS + 60_799);
  });

  it('follows a database whose clock was set, or another that took over', () => {
    const store = clock();
    store.learn(1000, 1002, STORE_MS);
    store.learn(2000, 2020, STORE_MS + 61_000);
    ownMs = 2020;
    expect(store.nowMs()).toBe(STORE_MS + 61_010);
  });

  it('never goes back', () => {
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
