import { describe, expect, it } from 'vitest';
import { createSemaphore } from '../../src/kernel/semaphore.js';

describe('the semaphore', () => {
  it('runs some tasks, lets some wait in order, and refuses the rest', async () => {
    const semaphore = createSemaphore({ concurrentMax: 2, waitingMax: 2 });
    const started: number[] = [];
    const finish: (() => void)[] = [];
    const enter = (id: number): Promise<number> =>
      semaphore(async () => {
        started.push(id);
        await new Promise<void>((resolve) => finish.push(resolve));
        return id;
      });
    const inside = [1, 2, 3, 4].map(enter);
    await expect(enter(5)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(started).toEqual([1, 2]);
    finish[0]?.();
    expect(await inside[0]).toBe(1);
    expect(started).toEqual([1, 2, 3]);
    const late = enter(6);
    for (let index = 1; index < 5; index += 1) {
      finish[index]?.();
      await new Promise(setImmediate);
    }
    expect(await Promise.all([...inside, late])).toEqual([1, 2, 3, 4, 6]);
    expect(started).toEqual([1, 2, 3, 4, 6]);
  });

  it('runs the next task after a failed one', async () => {
    const semaphore = createSemaphore({ concurrentMax: 1, waitingMax: 1 });
    const failing = semaphore(() => Promise.reject(new Error('broken')));
    const next = semaphore(() => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('done');
    expect(await semaphore(() => Promise.resolve('again'))).toBe('again');
  });
});
