/**
 * The rate limits of the API. A call takes one token from each of its buckets, the narrowest first, and is refused with
 * TOO_MANY_REQUESTS by the first empty one. So an account that exceeds its own limit takes nothing from the others behind
 * the same address.
 *
 * Writes count over all processes. Reads of dates and seats are answered from memory and count per process: asking the database
 * would cost more than the answer.
 */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { guard } from '../../kernel/guard.js';
import type { RateLimitName, RateLimitSettings } from '../../kernel/rate-limits.js';
import { Refusal } from '../../kernel/refusal.js';
import { SECOND_MS } from '../../kernel/time.js';
import type { KnownNetworks, RateLimiter } from '../../platform/rate-limit/index.js';
import type { Limit } from '../../platform/web/index.js';
import { clientNetworks, siteOf } from '../../kernel/client-networks.js';

export interface RateLimits {
  signUp(request: FastifyRequest): Promise<void>;
  /**
   * A network in which the owner of the account has proved to be has a bucket of its own, which no other network can empty.
   * All other networks are limited per account and network, and per account over all of them.
   */
  signIn(request: FastifyRequest, emailKey: string): Promise<void>;
  /** A mail to this address. Counted per address, so that nobody can flood a mailbox. */
  requestMail(request: FastifyRequest, emailKey: string): Promise<void>;
  /** The same, but false instead of a refusal if the address gets no more mails for a while. */
  mayMailAddress(request: FastifyRequest, emailKey: string): Promise<boolean>;
  useMailedLink(request: FastifyRequest): Promise<void>;
  /** The client has proved to own the account: strangers who guess from other networks cannot lock it out. */
  rememberNetwork(request: FastifyRequest, emailKey: string): Promise<void>;
  readonly join: Limit;
  readonly leave: Limit;
  readonly readSeats: Limit;
  readonly hold: Limit;
  readonly release: Limit;
  readonly charge: Limit;
  readonly pay: Limit;
  readonly exportData: Limit;
}

export interface RateLimitDeps {
  readonly settings: RateLimitSettings;
  /** Counts over all processes. */
  readonly shared: RateLimiter;
  /** Counts in this process only. */
  readonly local: RateLimiter;
  readonly knownNetworks: Pick<KnownNetworks, 'has' | 'remember'>;
}

const unlimited = (): Promise<void> => Promise.resolve();
const NO_LIMITS: RateLimits = {
  signUp: unlimited,
  signIn: unlimited,
  requestMail: unlimited,
  mayMailAddress: () => Promise.resolve(true),
  useMailedLink: unlimited,
  rememberNetwork: unlimited,
  join: unlimited,
  leave: unlimited,
  readSeats: unlimited,
  hold: unlimited,
  release: unlimited,
  charge: unlimited,
  pay: unlimited,
  exportData: unlimited,
};

/** Without `deps` there are no limits. */
export function createRateLimits(deps: RateLimitDeps | undefined): RateLimits {
  if (!deps) return NO_LIMITS;
  const { settings, shared, local, knownNetworks } = deps;

  /** How long to wait for a token; 0: one was taken. */
  async function tryTake(limiter: RateLimiter, name: RateLimitName, key: string, allowance = 1) {
    const rate = settings[name];
    if (!rate) return 0;
    const bucket = { name, burst: rate.burst * allowance, perSecond: rate.perSecond * allowance };
    return limiter.take(bucket, key);
  }

  async function take(limiter: RateLimiter, name: RateLimitName, key: string, allowance = 1): Promise<void> {
    const waitMs = await tryTake(limiter, name, key, allowance);
    const retryAfterSeconds = guard('retry-after', Math.ceil(waitMs / SECOND_MS));
    if (waitMs > 0) throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds });
  }

  /** One network after another: a narrow network that is refused takes nothing from the wider one around it. */
  async function byClient(name: RateLimitName, { ip }: FastifyRequest): Promise<void> {
    for (const { key, allowance } of clientNetworks(ip)) await take(shared, name, key, allowance);
  }

  const byAccount =
    (name: RateLimitName, limiter = shared): Limit =>
    (_request, { userId }) =>
      take(limiter, name, userId);

  const byAccountAndClient =
    (account: RateLimitName, client: RateLimitName): Limit =>
    async (request, { userId }) => {
      await take(shared, account, userId);
      await byClient(client, request);
    };

  return {
    signUp: (request) => byClient('SIGN_UP_CLIENT', request),
    async signIn(request, emailKey) {
      const network = accountNetwork(request, emailKey);
      const isKnown = await knownNetworks.has(network);
      await take(shared, isKnown ? 'SIGN_IN_KNOWN_NETWORK' : 'SIGN_IN_ACCOUNT_CLIENT', network);
      await byClient('SIGN_IN_CLIENT', request);
      if (!isKnown) await take(shared, 'SIGN_IN_ACCOUNT', digest(emailKey));
    },
    async requestMail(request, emailKey) {
      await take(shared, 'MAIL_ADDRESS', digest(emailKey));
      await byClient('MAIL_CLIENT', request);
    },
    async mayMailAddress(request, emailKey) {
      // The client first: its refused requests must not use up the mails of an address.
      await byClient('MAIL_CLIENT', request);
      return (await tryTake(shared, 'MAIL_ADDRESS', digest(emailKey))) === 0;
    },
    useMailedLink: (request) => byClient('MAILED_LINK_CLIENT', request),
    rememberNetwork: (request, emailKey) => knownNetworks.remember(accountNetwork(request, emailKey)),
    join: byAccountAndClient('JOIN_ACCOUNT', 'JOIN_CLIENT'),
    leave: byAccount('LEAVE_ACCOUNT'),
    readSeats: byAccount('SEATS_ACCOUNT', local),
    hold: byAccountAndClient('HOLD_ACCOUNT', 'HOLD_CLIENT'),
    release: byAccount('RELEASE_ACCOUNT'),
    charge: byAccount('CHARGE_ACCOUNT'),
    pay: byAccount('PAY_ACCOUNT'),
    exportData: byAccount('EXPORT_ACCOUNT'),
  };
}

const accountNetwork = ({ ip }: FastifyRequest, emailKey: string): string =>
  digest(`${emailKey} ${siteOf(ip)}`);

/** Keeps e-mail and network addresses out of the tables, and every key short. */
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');
