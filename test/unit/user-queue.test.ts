import { setImmediate as nextLoopIteration } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createUserQueue } from '../../src/platform/rate-limit/index.js';

/** Work that runs until it is finished by hand. */
function startable() {
  const running: string[] = [];
  const finish = new Map<string, () => void>();
  const work = (name: string) => async () => {
    running.push(name);
    await new Promise<void>((resolve) => finish.set(name, resolve));
    running.splice(running.indexOf(name), 1);
    return name;
  };
  return { running, finish: (name: string) => finish.get(name)?.(), work };
}

describe('the queue of a user', () => {
  it('runs one at a time, in order of arrival', async () => {
    const queue = createUserQueue();
    const { running, finish, work } = startable();
    const answers = ['a', 'b', 'c'].map((name) => queue('fan', work(name)));
    for (const name of ['a', 'b', 'c']) {
      await nextLoopIteration();
      expect(running).toEqual([name]);
      finish(name);
    }
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c']);
  });

  it('does not delay other users', async () => {
    const queue = createUserQueue();
    const { running, finish, work } = startable();
    const answers = [queue('fan', work('a')), queue('fan', work('b')), queue('other', work('c'))];
    await nextLoopIteration();
    expect(running).toEqual(['a', 'c']);
    for (const name of ['a', 'c', 'b']) {
      finish(name);
      await nextLoopIteration();
    }
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c']);
  });

  it('refuses more than it can hold, and accepts again later', async () => {
    const queue = createUserQueue(2);
    const { finish, work } = startable();
    const accepted = ['a', 'b', 'c'].map((name) => queue('fan', work(name)));
    await expect(queue('fan', work('d'))).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      extra: { retryAfterSeconds: 2 },
    });
    for (const name of ['a', 'b', 'c']) {
      finish(name);
      await nextLoopIteration();
    }
    expect(await Promise.all(accepted)).toEqual(['a', 'b', 'c']);
    expect(await queue('fan', () => Promise.resolve('e'))).toBe('e');
  });

  it('continues after work that failed', async () => {
    const queue = createUserQueue();
    const failing = queue('fan', () => Promise.reject(new Error('broken')));
    const next = queue('fan', () => Promise.resolve('next'));
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('next');
  });
});
