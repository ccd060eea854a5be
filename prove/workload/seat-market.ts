import type { Sale } from '../scenario/scenario.js';

/** Fans of one date choose among only this many seats, so that their requests conflict. */
const CONTENDED_SEATS = 40;

/** Which seats fans compete for, and which sales are sold out, as far as the workload knows. */
export class SeatMarket {
  readonly #sold = new Map<string, number>();
  readonly #soldOutAtMs = new Map<Sale, number>();

  contendedSeats(sale: Sale, date: number): readonly string[] {
    const { id = '', seatIds = [] } = sale.dates[date] ?? {};
    const first = Math.max(0, Math.min(this.#sold.get(id) ?? 0, seatIds.length - CONTENDED_SEATS));
    return seatIds.slice(first, first + CONTENDED_SEATS);
  }

  /** A negative number of seats: a refund. */
  recordSold(sale: Sale, date: number, seats: number): void {
    const { id = '' } = sale.dates[date] ?? {};
    this.#sold.set(id, (this.#sold.get(id) ?? 0) + seats);
    const isSoldOut = sale.dates.every((each) => (this.#sold.get(each.id) ?? 0) >= each.seatIds.length);
    if (!isSoldOut) this.#soldOutAtMs.delete(sale);
    else if (!this.#soldOutAtMs.has(sale)) this.#soldOutAtMs.set(sale, Date.now());
  }

  /** Infinity while it is not sold out. */
  soldOutAtMs(sale: Sale): number {
    return this.#soldOutAtMs.get(sale) ?? Infinity;
  }
}
