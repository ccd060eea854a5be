/** The most a wallet may hold, in the currency's minor unit. */
export const BALANCE_MAX = 1_000_000_000_000;
/** The most one seat may cost: a full hold of the dearest seats still fits a wallet. */
export const PRICE_MAX = 1_000_000_000;
