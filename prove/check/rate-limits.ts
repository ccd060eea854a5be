import { Checker, type Invariant } from './evidence.js';

/** Whole seconds, at most an hour. */
const RETRY_AFTER = /^[1-9]\d{0,3}$/;

/** That such a request had no effect is part of `nothing-lost`: every row was acknowledged. */
export const rateLimitsSayWhen: Invariant = {
  name: 'limited',
  description: 'a request over a rate limit is refused with Retry-After',
  check({ calls }) {
    const checker = new Checker();
    for (const call of calls.filter(({ status, code }) => status === 429 || code === 'TOO_MANY_REQUESTS'))
      checker.expect(
        call.status === 429 && call.code === 'TOO_MANY_REQUESTS' && RETRY_AFTER.test(call.retryAfter),
        () => `${call.status} ${call.code} was answered with Retry-After "${call.retryAfter}"`,
        call,
      );
    return checker;
  },
};
