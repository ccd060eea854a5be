import { describe, expect, it } from 'vitest';
import { settleAll } from '../../src/kernel/settle-all.js';

const after = async <T>(hops: number, make: () => T): Promise<T> => {
  for (let hop = 0; hop < hops; hop += 1) await Promise.resolve();
  return make();
};

const fail = (text: string) => (): never => {
  throw new Error(text);
};

describe('settleAll', () => {
  it('returns results in list order', async () => {
    expect(await settleAll([after(5, () => 'a'), 'b', undefined, after(1, () => 3)])).toEqual([
      'a',
      'b',
      undefined,
      3,
    ]);
  });

  it('rejects with the first error in list order, even if another came earlier', async () => {
    const all = settleAll([after(1, () => 1), after(9, fail('first')), after(2, fail('second'))]);
    await expect(all).rejects.toThrow('first');
  });

  it('rejects only after all promises have settled', async () => {
    let isSettled = false;
    const slow = after(20, () => {
      isSettled = true;
    });
    await expect(settleAll([after(1, fail('quick')), slow])).rejects.toThrow('quick');
    expect(isSettled).toBe(true);
  });
});
