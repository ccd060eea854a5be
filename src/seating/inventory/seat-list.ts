import { indexCursor } from '../../platform/web/index.js';
import type { SeatRow } from '../queries.js';

/** Seats on a page without `?limit=`: a smaller date is one page. */
export const SEATS_PER_PAGE = 2000;
/** A change rebuilds the JSON of this many seats. Divides `SEATS_PER_PAGE`. */
const SEATS_PER_BLOCK = 50;

const COMMA = Buffer.from(',');
const HEAD = Buffer.from('{"items":[');

/**
 * The pages of a date's seat list as JSON. In a rush nearly every read follows a change, so a change costs one block and
 * one concatenation, not the JSON of a whole page.
 */
export class SeatListPages {
  readonly #seats: readonly SeatRow[];
  readonly #blocks: (Buffer | undefined)[] = [];
  readonly #pages: (Buffer | undefined)[] = [];

  constructor(seats: readonly SeatRow[]) {
    this.#seats = seats;
  }

  /** Call this when the state of a seat has changed. */
  invalidate(index: number): void {
    this.#blocks[Math.floor(index / SEATS_PER_BLOCK)] = undefined;
    this.#pages[Math.floor(index / SEATS_PER_PAGE)] = undefined;
  }

  /** The page that starts at this seat, if a page starts there. */
  startingAt(index: number): Buffer | undefined {
    const isPageStart = index === 0 || (index < this.#seats.length && index % SEATS_PER_PAGE === 0);
    return isPageStart ? (this.#pages[index / SEATS_PER_PAGE] ??= this.#build(index)) : undefined;
  }

  #build(start: number): Buffer {
    const end = Math.min(start + SEATS_PER_PAGE, this.#seats.length);
    const parts: Buffer[] = [HEAD];
    for (let from = start; from < end; from += SEATS_PER_BLOCK) {
      if (from > start) parts.push(COMMA);
      parts.push((this.#blocks[from / SEATS_PER_BLOCK] ??= this.#buildBlock(from)));
    }
    const nextCursor = end < this.#seats.length ? indexCursor(end) : null;
    parts.push(Buffer.from(`],"nextCursor":${JSON.stringify(nextCursor)}}`));
    return Buffer.concat(parts);
  }

  #buildBlock(from: number): Buffer {
    const seats = this.#seats.slice(from, from + SEATS_PER_BLOCK);
    return Buffer.from(seats.map((seat) => JSON.stringify(toSeat(seat))).join(','));
  }
}

export function toSeat({ id, section, row, number, label, grade, price, status }: SeatRow) {
  return { id, section, row, number, label, grade, price, status };
}
