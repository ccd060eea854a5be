/** A token bucket: `burst` calls immediately, then `perSecond` on average. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/**
 * Every rate limit and its default. `FOYER_LIMIT_<NAME>` sets it; docs/settings.md describes it.
 *
 * `_ACCOUNT` counts one account, `_CLIENT` one client address. Client limits are much wider: carrier-grade NAT puts
 * thousands of fans behind one address. What one fan can do is bounded by the account limits.
 */
export const RATE_LIMIT_DEFAULTS = {
  SIGN_UP_CLIENT: { burst: 300, perSecond: 5 },
  SIGN_IN_CLIENT: { burst: 1000, perSecond: 10 },
  SIGN_IN_KNOWN_NETWORK: { burst: 10, perSecond: 0.1 },
  SIGN_IN_ACCOUNT_CLIENT: { burst: 10, perSecond: 0.1 },
  SIGN_IN_ACCOUNT: { burst: 100, perSecond: 0.1 },
  MAIL_ADDRESS: { burst: 3, perSecond: 0.002 },
  MAIL_CLIENT: { burst: 300, perSecond: 1 },
  MAILED_LINK_CLIENT: { burst: 300, perSecond: 5 },
  JOIN_CLIENT: { burst: 2000, perSecond: 200 },
  JOIN_ACCOUNT: { burst: 30, perSecond: 0.5 },
  LEAVE_ACCOUNT: { burst: 30, perSecond: 0.5 },
  SEATS_ACCOUNT: { burst: 120, perSecond: 4 },
  HOLD_CLIENT: { burst: 2000, perSecond: 200 },
  HOLD_ACCOUNT: { burst: 60, perSecond: 1 },
  RELEASE_ACCOUNT: { burst: 60, perSecond: 1 },
  CHARGE_ACCOUNT: { burst: 30, perSecond: 0.5 },
  PAY_ACCOUNT: { burst: 60, perSecond: 1 },
  EXPORT_ACCOUNT: { burst: 5, perSecond: 0.01 },
} as const satisfies Readonly<Record<string, Rate>>;

export type RateLimitName = keyof typeof RATE_LIMIT_DEFAULTS;

/** The limits in force; null: that limit is off. */
export type RateLimitSettings = Readonly<Record<RateLimitName, Rate | null>>;
