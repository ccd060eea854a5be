import { describe, expect, it } from 'vitest';
import { createIdempotentCall } from '../../web/src/api/idempotent-call.js';
import { Problem, ConnectionError } from '../../web/src/api/problem.js';
import { saleStateAt } from '../../web/src/concerts/sale-state.js';

const SECOND = 1000;
const NOW = Date.parse('2026-11-16T10:00:00.000Z');
const at = (offsetMs: number): string => new Date(NOW + offsetMs).toISOString();

describe('a sale', () => {
  const open = { salesOpenAt: null, salesCloseAt: null, soldOut: false };

  it('turns by itself as time passes', () => {
    const sale = { ...open, salesOpenAt: at(0), salesCloseAt: at(60 * SECOND) };
    expect(saleStateAt(sale, NOW - 1)).toBe('BEFORE');
    expect(saleStateAt(sale, NOW)).toBe('OPEN');
    expect(saleStateAt(sale, NOW + 60 * SECOND)).toBe('CLOSED');
  });

  it('is sold out only while it is open', () => {
    expect(saleStateAt({ ...open, soldOut: true }, NOW)).toBe('SOLD_OUT');
    expect(saleStateAt({ ...open, soldOut: true, salesCloseAt: at(-1) }, NOW)).toBe('CLOSED');
  });
});

describe('a wish', () => {
  /** Records the keys it was asked with; answers in turn. */
  function server(...answers: (Error | string)[]) {
    const keys: string[] = [];
    const ask = (key: string): Promise<string> => {
      keys.push(key);
      const answer = answers.shift() ?? 'done';
      return typeof answer === 'string' ? Promise.resolve(answer) : Promise.reject(answer);
    };
    return { keys, ask };
  }

  it('has one key, however often nobody answers', async () => {
    const { keys, ask } = server(new ConnectionError(true), new Problem(503, 'UNAVAILABLE'));
    expect(await createIdempotentCall()({ id: 1 }, ask)).toBe('done');
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[A-Za-z0-9_-]{16,64}$/);
  });

  it('keeps its key for the next press when all retries were in vain', async () => {
    const { keys, ask } = server(...Array.from({ length: 4 }, () => new ConnectionError(false)));
    const attempt = createIdempotentCall();
    await expect(attempt({ id: 1 }, ask)).rejects.toThrow(ConnectionError);
    await attempt({ id: 1 }, ask);
    expect(new Set(keys).size).toBe(1);
  });

  it('is a new one after a refusal, or when something else is wanted', async () => {
    const { keys, ask } = server(new Problem(402, 'NOT_ENOUGH_BALANCE'));
    const attempt = createIdempotentCall();
    await expect(attempt({ id: 1 }, ask)).rejects.toThrow('NOT_ENOUGH_BALANCE');
    await attempt({ id: 1 }, ask);
    await attempt({ id: 2 }, ask);
    expect(new Set(keys).size).toBe(3);
  });
});
