import { describe, expect, it } from 'vitest';
import { createIdempotentCall } from '../../web/src/api/idempotent-call.js';
import { Problem, ConnectionError } from '../../web/src/api/problem.js';
import { saleStateAt } from '../../web/src/concerts/sale-state.js';

const SECOND = 1000;
const NOW = Date.parse('2026-11-16T10:00:00.000Z');
const at = (offsetMs: number): string => new Date(NOW + offsetMs).toISOString();

describe('a sale', () => {
  const open = { salesOpenAt: null, salesCloseAt: null, soldOut: false };

  it('opens and closes as time passes', () => {
    const sale = { ...open, salesOpenAt: at(0), salesCloseAt: at(60 * SECOND) };
    expect(saleStateAt(sale, NOW - 1)).toBe('BEFORE');
    expect(saleStateAt(sale, NOW)).toBe('OPEN');
    expect(saleStateAt(sale, NOW + 60 * SECOND)).toBe('CLOSED');
  });

  it('is sold out only while the sale is open', () => {
    expect(saleStateAt({ ...open, soldOut: true }, NOW)).toBe('SOLD_OUT');
    expect(saleStateAt({ ...open, soldOut: true, salesCloseAt: at(-1) }, NOW)).toBe('CLOSED');
  });
});

describe('an idempotent call', () => {
  /** A fake server that records the keys it gets and gives the responses in order. */
  function server(...responses: (Error | string)[]) {
    const keys: string[] = [];
    const send = (key: string): Promise<string> => {
      keys.push(key);
      const response = responses.shift() ?? 'done';
      return typeof response === 'string' ? Promise.resolve(response) : Promise.reject(response);
    };
    return { keys, send };
  }

  it('sends the same key with every retry', async () => {
    const { keys, send } = server(new ConnectionError(true), new Problem(503, 'UNAVAILABLE'));
    expect(await createIdempotentCall()({ id: 1 }, send)).toBe('done');
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[A-Za-z0-9_-]{16,64}$/);
  });

  it('keeps the key for the next press after all retries failed', async () => {
    const { keys, send } = server(...Array.from({ length: 4 }, () => new ConnectionError(false)));
    const call = createIdempotentCall();
    await expect(call({ id: 1 }, send)).rejects.toThrow(ConnectionError);
    await call({ id: 1 }, send);
    expect(new Set(keys).size).toBe(1);
  });

  it('uses a new key after a refusal and for a different request', async () => {
    const { keys, send } = server(new Problem(402, 'NOT_ENOUGH_BALANCE'));
    const call = createIdempotentCall();
    await expect(call({ id: 1 }, send)).rejects.toThrow('NOT_ENOUGH_BALANCE');
    await call({ id: 1 }, send);
    await call({ id: 2 }, send);
    expect(new Set(keys).size).toBe(3);
  });
});
