/** The highest balance of a wallet, in the currency's minor unit. */
export const BALANCE_MAX = 1_000_000_000_000;
/** The highest price of a seat: the most expensive possible hold still fits in a wallet. */
export const PRICE_MAX = 1_000_000_000;
