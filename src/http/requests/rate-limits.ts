import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../kernel/caller.js';
import { Refusal } from '../../kernel/refusal.js';
import { SECOND_MS } from '../../kernel/time.js';
import type { Bucket, RateLimiter } from '../../platform/rate-limit/index.js';

/** Limits per client address are much wider than per account: a campus or a mobile network may share one address. */
const BUCKETS = {
  signUpByClient: { name: 'sign-up/client', burst: 300, perSecond: 5 },
  signInByClient: { name: 'sign-in/client', burst: 300, perSecond: 5 },
  signInByAccount: { name: 'sign-in/account', burst: 10, perSecond: 0.1 },
  joinByClient: { name: 'join/client', burst: 2000, perSecond: 200 },
  joinByAccount: { name: 'join/account', burst: 30, perSecond: 0.5 },
  holdByClient: { name: 'hold/client', burst: 2000, perSecond: 200 },
  holdByAccount: { name: 'hold/account', burst: 60, perSecond: 1 },
} as const satisfies Record<string, Bucket>;

const IPV6_GROUPS = 8;
/** A /64 network. */
const IPV6_NETWORK_GROUPS = 4;

export interface RateLimits {
  signUp(request: FastifyRequest): Promise<void>;
  signIn(request: FastifyRequest, emailKey: string): Promise<void>;
  join(request: FastifyRequest, caller: Caller): Promise<void>;
  hold(request: FastifyRequest, caller: Caller): Promise<void>;
}

const unlimited = (): Promise<void> => Promise.resolve();
const NO_LIMITS: RateLimits = { signUp: unlimited, signIn: unlimited, join: unlimited, hold: unlimited };

/** Providers give each customer a /64 of IPv6 addresses, which counts as one client. */
function clientKey({ ip }: FastifyRequest): string {
  return isIPv6(ip) && !ip.startsWith('::ffff:') ? ipv6Network(ip) : ip;
}

/** The first four groups of an IPv6 address, with `::` expanded to zeros. */
function ipv6Network(address: string): string {
  const [head = '', tail = ''] = address.split('::');
  const first = splitGroups(head);
  const missing = IPV6_GROUPS - first.length - splitGroups(tail).length;
  return [...first, ...Array<string>(missing).fill('0'), ...splitGroups(tail)]
    .slice(0, IPV6_NETWORK_GROUPS)
    .join(':');
}

const splitGroups = (part: string): string[] => (part === '' ? [] : part.split(':'));

export function createRateLimits(limiter: RateLimiter | undefined): RateLimits {
  if (!limiter) return NO_LIMITS;

  async function take(bucket: Bucket, key: string): Promise<void> {
    const waitMs = await limiter?.take(bucket, key);
    if (waitMs) throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: Math.ceil(waitMs / SECOND_MS) });
  }

  return {
    signUp: (request) => take(BUCKETS.signUpByClient, clientKey(request)),
    async signIn(request, emailKey) {
      await take(BUCKETS.signInByClient, clientKey(request));
      await take(BUCKETS.signInByAccount, emailKey);
    },
    async join(request, { userId }) {
      await take(BUCKETS.joinByClient, clientKey(request));
      await take(BUCKETS.joinByAccount, userId);
    },
    async hold(request, { userId }) {
      await take(BUCKETS.holdByClient, clientKey(request));
      await take(BUCKETS.holdByAccount, userId);
    },
  };
}
