import { describe, expect, it } from 'vitest';
import { requestHash } from '../../src/http/idempotency/request-hash.js';

const hash = (body: unknown): string => requestHash('POST', '/api/v1/payments?x=1', body);
const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

describe('the hash of a request', () => {
  it('does not depend on member order', () => {
    expect(hash({ a: 1, b: [{ c: 2, d: 3 }] })).toBe(hash({ b: [{ d: 3, c: 2 }], a: 1 }));
    expect(hash({ a: 1 })).not.toBe(hash({ a: 2 }));
    expect(hash(nested(100))).not.toBe(hash(nested(101)));
  });

  it('refuses a body that is nested too deeply', () => {
    expect(() => hash(nested(60_000))).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
  });
});
