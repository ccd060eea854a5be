import { expect, test } from 'vitest';
import { createRequestBarrier } from '../../src/http/requests/request-barrier.js';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('requests that were read together go on together, in order, once all of them have been read', async () => {
  const afterBarrier = createRequestBarrier(undefined);
  const gone: string[] = [];
  for (const request of ['1', '2', '3']) {
    afterBarrier(() => {
      gone.push(request);
      process.nextTick(() => gone.push(`after ${request}`));
    });
  }
  expect(gone).toEqual([]);
  await nextTurn();
  // What follows on a request comes after all of them: they have one turn, not one each.
  expect(gone).toEqual(['1', '2', '3', 'after 1', 'after 2', 'after 3']);
});

test('what comes while others go on has the next turn', async () => {
  const afterBarrier = createRequestBarrier(undefined);
  const gone: string[] = [];
  afterBarrier(() => {
    gone.push('first');
    afterBarrier(() => gone.push('second'));
  });
  await nextTurn();
  expect(gone).toEqual(['first']);
  await nextTurn();
  expect(gone).toEqual(['first', 'second']);
});

test('with other processes, a request waits for what they have committed', async () => {
  let hear: () => void = () => undefined;
  const afterBarrier = createRequestBarrier(() => new Promise<void>((resolve) => (hear = resolve)));
  const gone: (Error | undefined)[] = [];
  afterBarrier((error) => gone.push(error));
  await nextTurn();
  expect(gone).toEqual([]);
  hear();
  await nextTurn();
  expect(gone).toEqual([undefined]);
});

test('a request that cannot be told what is new hears why', async () => {
  const lost = new Error('lost');
  const afterBarrier = createRequestBarrier(() => Promise.reject(lost));
  const gone: (Error | undefined)[] = [];
  afterBarrier((error) => gone.push(error));
  await nextTurn();
  expect(gone).toEqual([lost]);
});
