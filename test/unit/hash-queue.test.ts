import { setImmediate as nextLoopIteration } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createHashQueue, type Lane } from '../../src/accounts/hash-queue.js';

function setUp(limits: { concurrentMax?: number; waitingMax?: number; waitMaxMs?: number } = {}) {
  const queue = createHashQueue({ concurrentMax: 1, waitingMax: 100, waitMaxMs: 20_000, ...limits });
  const started: string[] = [];
  const finish: (() => void)[] = [];
  return {
    started,
    /** Resolves to the name, or to the code of the refusal. */
    enter: (name: string, client = name, lane: Lane = 'sign-in'): Promise<string> =>
      queue(lane, client, async () => {
        started.push(name);
        await new Promise<void>((resolve) => finish.push(resolve));
        return name;
      }).catch((error: unknown) => (error as { code: string }).code),
    async finishAll(): Promise<void> {
      for (let end = finish.shift(); end; end = finish.shift()) {
        end();
        await nextLoopIteration();
      }
    },
  };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('the queue for password hashing', () => {
  it('runs no more than its maximum, the others in order of arrival', async () => {
    const { enter, started, finishAll } = setUp({ concurrentMax: 2 });
    const all = ['a', 'b', 'c', 'd'].map((name) => enter(name));
    expect(started).toEqual(['a', 'b']);
    await finishAll();
    expect(started).toEqual(['a', 'b', 'c', 'd']);
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('runs the next one after a failure', async () => {
    const queue = createHashQueue({ concurrentMax: 1, waitingMax: 1, waitMaxMs: 1000 });
    const failing = queue('sign-in', 'a', () => Promise.reject(new Error('broken')));
    const next = queue('sign-in', 'b', () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('done');
    expect(await queue('sign-in', 'c', () => Promise.resolve('again'))).toBe('again');
  });

  it('runs sign-ins before sign-ups, but one sign-up after every third sign-in', async () => {
    const { enter, started, finishAll } = setUp();
    void enter('first');
    for (const name of ['up 1', 'up 2']) void enter(name, name, 'sign-up');
    for (const name of ['in 1', 'in 2', 'in 3', 'in 4', 'in 5']) void enter(name);
    await finishAll();
    expect(started).toEqual(['first', 'in 1', 'in 2', 'in 3', 'up 1', 'in 4', 'in 5', 'up 2']);
  });

  it('lets clients take turns, so a flood of one delays another by one hash', async () => {
    const { enter, started, finishAll } = setUp();
    for (let count = 0; count < 5; count += 1) void enter(`flood ${count}`, 'flood');
    void enter('fan');
    await finishAll();
    expect(started).toEqual(['flood 0', 'flood 1', 'fan', 'flood 2', 'flood 3', 'flood 4']);
  });

  it('drops the newest request of the client that has the most when a lane is full', async () => {
    const { enter, started, finishAll } = setUp({ waitingMax: 3 });
    const flood = [0, 1, 2, 3, 4].map((count) => enter(`flood ${count}`, 'flood'));
    expect(await flood[4]).toBe('UNAVAILABLE');
    const fan = enter('fan');
    expect(await flood[3]).toBe('UNAVAILABLE');
    // The other lane has its own space.
    const signUp = enter('up', 'up', 'sign-up');
    await finishAll();
    expect(await Promise.all([fan, signUp])).toEqual(['fan', 'up']);
    expect(started).toEqual(['flood 0', 'flood 1', 'fan', 'flood 2', 'up']);
  });

  it('refuses a request that waits too long, and continues with the others', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { enter, started, finishAll } = setUp({ waitMaxMs: 1000 });
    void enter('first');
    const late = enter('late');
    vi.advanceTimersByTime(500);
    const next = enter('next');
    vi.advanceTimersByTime(500);
    expect(await late).toBe('UNAVAILABLE');
    await finishAll();
    expect(await next).toBe('next');
    expect(started).toEqual(['first', 'next']);
  });
});
