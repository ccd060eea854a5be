import { expect, test } from 'vitest';
import { createTurns } from '../../src/http/turns.js';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('requests that were read together go on together, in order, once all of them have been read', async () => {
  const inTurn = createTurns(undefined);
  const gone: string[] = [];
  for (const request of ['1', '2', '3']) {
    inTurn(() => {
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
  const inTurn = createTurns(undefined);
  const gone: string[] = [];
  inTurn(() => {
    gone.push('first');
    inTurn(() => gone.push('second'));
  });
  await nextTurn();
  expect(gone).toEqual(['first']);
  await nextTurn();
  expect(gone).toEqual(['first', 'second']);
});

test('with other processes, a request waits for what they have committed', async () => {
  let hear: () => void = () => undefined;
  const inTurn = createTurns(() => new Promise<void>((resolve) => (hear = resolve)));
  const gone: (Error | undefined)[] = [];
  inTurn((error) => gone.push(error));
  await nextTurn();
  expect(gone).toEqual([]);
  hear();
  await nextTurn();
  expect(gone).toEqual([undefined]);
});

test('a request that cannot be told what is new hears why', async () => {
  const lost = new Error('lost');
  const inTurn = createTurns(() => Promise.reject(lost));
  const gone: (Error | undefined)[] = [];
  inTurn((error) => gone.push(error));
  await nextTurn();
  expect(gone).toEqual([lost]);
});
