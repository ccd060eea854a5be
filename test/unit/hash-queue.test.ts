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
    enter: (
      name: string,
      networks: string | string[] = name,
      lane: Lane = 'sign-in',
      signal?: AbortSignal,
    ): Promise<string> =>
      queue(lane, { networks: [networks].flat(), signal }, async () => {
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
    const failing = queue('sign-in', { networks: ['a'] }, () => Promise.reject(new Error('broken')));
    const next = queue('sign-in', { networks: ['b'] }, () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('done');
    expect(await queue('sign-in', { networks: ['c'] }, () => Promise.resolve('again'))).toBe('again');
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

  it('lets the widest networks take turns, and in each of them the networks inside it', async () => {
    const { enter, started, finishAll } = setUp();
    void enter('first');
    for (const site of [1, 1, 2, 3, 4, 5]) void enter(`site ${site}`, ['/48', `/56 ${site}`]);
    void enter('fan');
    await finishAll();
    const [, ...turns] = started;
    expect(turns).toEqual(['site 1', 'fan', 'site 2', 'site 3', 'site 4', 'site 5', 'site 1']);
  });

  it('drops a request of the wide network that has the most, of the narrow network that has the most in it', async () => {
    const { enter, started, finishAll } = setUp({ waitingMax: 4 });
    void enter('first');
    const [kept, dropped] = [0, 1].map((count) => enter(`large ${count}`, ['/48', 'large']));
    const small = enter('small', ['/48', 'small']);
    const others = ['a', 'b'].map((name) => enter(name));
    expect(await dropped).toBe('UNAVAILABLE');
    await finishAll();
    expect(await Promise.all([kept, small, ...others])).toEqual(['large 0', 'small', 'a', 'b']);
    expect(started).toHaveLength(5);
  });

  it('does not always refuse the newcomer when all networks have equally many', async () => {
    const { enter, finishAll } = setUp({ waitingMax: 3 });
    void enter('first');
    const newcomers = Array.from({ length: 60 }, (_, index) => enter(`network ${index}`));
    await finishAll();
    const outcomes = await Promise.all(newcomers);
    expect(outcomes.filter((outcome) => outcome !== 'UNAVAILABLE')).toHaveLength(3);
    // The chance that only the first three are kept is far below one in a billion.
    expect(outcomes.slice(3).some((outcome) => outcome !== 'UNAVAILABLE')).toBe(true);
  });

  it('drops a request whose client disconnects, before it waits or while it does', async () => {
    const { enter, started, finishAll } = setUp();
    void enter('first');
    const disconnected = new AbortController();
    const waiting = enter('waiting', 'a', 'sign-in', disconnected.signal);
    const next = enter('next', 'a');
    disconnected.abort();
    expect(await waiting).toBe('UNAVAILABLE');
    expect(await enter('late', 'a', 'sign-in', disconnected.signal)).toBe('UNAVAILABLE');
    await finishAll();
    expect(await next).toBe('next');
    expect(started).toEqual(['first', 'next']);
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
