import { expect, test } from 'vitest';
import { createRequestBarrier } from '../../src/http/requests/request-barrier.js';

const nextIteration = () => new Promise<void>((resolve) => setImmediate(resolve));

test('requests read in one event-loop iteration continue in one batch, in order', async () => {
  const afterBarrier = createRequestBarrier(undefined);
  const passed: string[] = [];
  for (const request of ['1', '2', '3']) {
    afterBarrier(() => {
      passed.push(request);
      process.nextTick(() => passed.push(`after ${request}`));
    });
  }
  expect(passed).toEqual([]);
  await nextIteration();
  // Callbacks of a request run after the whole batch.
  expect(passed).toEqual(['1', '2', '3', 'after 1', 'after 2', 'after 3']);
});

test('a request that arrives while a batch runs is in the next batch', async () => {
  const afterBarrier = createRequestBarrier(undefined);
  const passed: string[] = [];
  afterBarrier(() => {
    passed.push('first');
    afterBarrier(() => passed.push('second'));
  });
  await nextIteration();
  expect(passed).toEqual(['first']);
  await nextIteration();
  expect(passed).toEqual(['first', 'second']);
});

test('with several processes a request waits for their committed changes', async () => {
  let resolveChanges: () => void = () => undefined;
  const afterBarrier = createRequestBarrier(() => new Promise<void>((resolve) => (resolveChanges = resolve)));
  const passed: (Error | undefined)[] = [];
  afterBarrier((error) => passed.push(error));
  await nextIteration();
  expect(passed).toEqual([]);
  resolveChanges();
  await nextIteration();
  expect(passed).toEqual([undefined]);
});

test('a request gets the error if the changes cannot be read', async () => {
  const lost = new Error('lost');
  const afterBarrier = createRequestBarrier(() => Promise.reject(lost));
  const passed: (Error | undefined)[] = [];
  afterBarrier((error) => passed.push(error));
  await nextIteration();
  expect(passed).toEqual([lost]);
});
