import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createJobs } from '../../src/platform/jobs/index.js';

const middle = () => 0.5;
const noErrors = (name: string, error: unknown): never => {
  throw new Error(`${name} failed`, { cause: error });
};

/** A task that ends when `end` is called. */
function slowTask() {
  let runs = 0;
  let end = (): void => undefined;
  return {
    task: () => {
      runs += 1;
      return new Promise<void>((resolve) => (end = resolve));
    },
    end: () => {
      end();
    },
    get runs() {
      return runs;
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a scheduled task', () => {
  it('runs repeatedly, first after one interval', async () => {
    const task = vi.fn(() => Promise.resolve());
    createJobs({ onError: noErrors, random: middle }).every('sweep', 1000, task);
    await vi.advanceTimersByTimeAsync(999);
    expect(task).toHaveBeenCalledTimes(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(task).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(2000);
    expect(task).toHaveBeenCalledTimes(3);
  });

  it('never overlaps itself: the next interval starts when a run has ended', async () => {
    const slow = slowTask();
    createJobs({ onError: noErrors, random: middle }).every('sweep', 1000, slow.task);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(slow.runs).toBe(1);
    slow.end();
    await vi.advanceTimersByTimeAsync(999);
    expect(slow.runs).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(slow.runs).toBe(2);
  });

  it('starts the next run although one is stuck, if it may overlap, and waits for both when it stops', async () => {
    const ends: (() => void)[] = [];
    const task = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
    const jobs = createJobs({ onError: noErrors, random: middle });
    jobs.everyOverlapping('admit', 1000, task);
    await vi.advanceTimersByTimeAsync(3000);
    const [endFirst, endSecond] = ends;
    expect(ends).toHaveLength(2);
    endSecond?.();
    let isStopped = false;
    void jobs.stop().then(() => (isStopped = true));
    await vi.advanceTimersByTimeAsync(0);
    expect(isStopped).toBe(false);
    endFirst?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(isStopped).toBe(true);
  });

  it('reports a failed run of a task that may overlap', async () => {
    const onError = vi.fn();
    const error = new Error('locked');
    createJobs({ onError, random: middle }).everyOverlapping('admit', 1000, () => Promise.reject(error));
    await vi.advanceTimersByTimeAsync(1000);
    expect(onError).toHaveBeenCalledWith('admit', error);
  });

  it('runs again almost immediately while it says that more is left', async () => {
    let left = 5;
    const task = vi.fn(() => Promise.resolve((left -= 1) > 0));
    createJobs({ onError: noErrors, random: middle }).every('purge', 1000, task);
    await vi.advanceTimersByTimeAsync(1000);
    expect(task).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(task).toHaveBeenCalledTimes(5);
    await vi.advanceTimersByTimeAsync(800);
    expect(task).toHaveBeenCalledTimes(5);
  });

  it('stops between two batches', async () => {
    const task = vi.fn(() => Promise.resolve(true));
    const jobs = createJobs({ onError: noErrors, random: middle });
    jobs.every('purge', 1000, task);
    await vi.advanceTimersByTimeAsync(1000);
    await jobs.stop();
    const { calls } = task.mock;
    const before = calls.length;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(task).toHaveBeenCalledTimes(before);
  });

  it('does not delay another task', async () => {
    const slow = slowTask();
    const quick = vi.fn(() => Promise.resolve());
    const schedule = createJobs({ onError: noErrors, random: middle });
    schedule.every('slow', 1000, slow.task);
    schedule.every('quick', 1000, quick);
    await vi.advanceTimersByTimeAsync(5000);
    expect(quick).toHaveBeenCalledTimes(5);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('disk full'))],
    [
      'throws',
      () => {
        throw new Error('disk full');
      },
    ],
  ])('is reported by name when it %s, and runs again', async (_, task) => {
    const onError = vi.fn();
    createJobs({ onError, random: middle }).every('sweep', 1000, task);
    await vi.advanceTimersByTimeAsync(2000);
    expect(onError).toHaveBeenCalledTimes(2);
    expect(onError).toHaveBeenLastCalledWith('sweep', expect.objectContaining({ message: 'disk full' }));
  });

  it.each([
    ['a tenth early', 0, 900],
    ['a tenth late', 1, 1100],
  ])('runs at most %s', async (_, random, atMs) => {
    const task = vi.fn(() => Promise.resolve());
    createJobs({ onError: noErrors, random: () => random }).every('sweep', 1000, task);
    await vi.advanceTimersByTimeAsync(atMs - 1);
    expect(task).toHaveBeenCalledTimes(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(task).toHaveBeenCalledTimes(1);
  });

  it('does not keep the process alive', () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    createJobs({ onError: noErrors }).every('sweep', 1000, () => Promise.resolve());
    const [timer] = timers.mock.results;
    expect(timer?.type === 'return' && timer.value.hasRef()).toBe(false);
    timers.mockRestore();
  });

  it('needs an interval that Node timers support', () => {
    const schedule = createJobs({ onError: noErrors });
    for (const intervalMs of [0, -1, NaN, 2 ** 31]) {
      expect(() => {
        schedule.every('sweep', intervalMs, () => Promise.resolve());
      }).toThrow('sweep');
    }
  });
});

describe('stopping', () => {
  it('prevents further runs', async () => {
    const task = vi.fn(() => Promise.resolve());
    const schedule = createJobs({ onError: noErrors, random: middle });
    schedule.every('sweep', 1000, task);
    await vi.advanceTimersByTimeAsync(1000);
    await schedule.stop();
    schedule.every('late', 1000, task);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(task).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits for the current runs, and no run follows', async () => {
    const slow = slowTask();
    const schedule = createJobs({ onError: noErrors, random: middle });
    schedule.every('sweep', 1000, slow.task);
    await vi.advanceTimersByTimeAsync(1000);
    const stopped = vi.fn();
    const stopping = schedule.stop().then(stopped);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(stopped).not.toHaveBeenCalled();
    slow.end();
    await stopping;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(slow.runs).toBe(1);
  });

  it('succeeds even if a current run fails', async () => {
    const onError = vi.fn();
    const schedule = createJobs({ onError, random: middle });
    let fail: (error: Error) => void = () => undefined;
    schedule.every('sweep', 1000, () => new Promise<void>((_, reject) => (fail = reject)));
    await vi.advanceTimersByTimeAsync(1000);
    const stopping = schedule.stop();
    fail(new Error('late'));
    await stopping;
    expect(onError).toHaveBeenCalledTimes(1);
  });
});
