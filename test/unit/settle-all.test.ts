import { describe, expect, it } from 'vitest';
import { settleAll } from '../../src/kernel/settle-all.js';

const after = async <T>(hops: number, make: () => T): Promise<T> => {
  for (let hop = 0; hop < hops; hop += 1) await Promise.resolve();
  return make();
};

const fail = (text: string) => (): never => {
  throw new Error(text);
};

describe('what is sent together', () => {
  it('answers in the order of the list', async () => {
    expect(await settleAll([after(5, () => 'a'), 'b', undefined, after(1, () => 3)])).toEqual([
      'a',
      'b',
      undefined,
      3,
    ]);
  });

  it('fails with the first of the list that failed, though another was quicker', async () => {
    const all = settleAll([after(1, () => 1), after(9, fail('first')), after(2, fail('second'))]);
    await expect(all).rejects.toThrow('first');
  });

  it('fails only once all of it is over', async () => {
    let isOver = false;
    const slow = after(20, () => {
      isOver = true;
    });
    await expect(settleAll([after(1, fail('quick')), slow])).rejects.toThrow('quick');
    expect(isOver).toBe(true);
  });
});
