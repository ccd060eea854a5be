import { assertDefined } from '../../kernel/assert.js';
import type { Encoding } from '../../platform/web/index.js';
import { type SeatRun, seatRunsOf } from '../map/seat-runs.js';
import type { SeatChange } from '../change-seats.js';
import { computeGeometry, type SeatGeometry } from '../map/seat-geometry.js';
import type { SeatRow, SeatStatus } from '../queries.js';
import { ChartBodies, drawChart, gradeKey } from './seat-chart.js';
import { type EncodedBody, SeatBitmap } from './seat-bitmap.js';
import { SeatListPages } from './seat-list.js';

export interface SeatOnChart {
  readonly id: string;
  readonly label: string;
  readonly section: string;
  readonly row: string;
  /** What is written on the seat. */
  readonly number: string;
  readonly grade: string;
  readonly price: number;
  /** The index in chart order. */
  readonly position: number;
}

export interface SeatCounts {
  readonly total: number;
  readonly available: number;
  readonly held: number;
  readonly sold: number;
}

/** The seats of one date in memory: the chart, which never changes, and the state, which follows every commit. */
export class SeatInventory {
  readonly #scheduleId: string;
  readonly #seats: readonly SeatRow[];
  readonly #indexById = new Map<string, number>();
  readonly #holdExpiriesMs = new Map<number, number>();
  readonly #bitmap: SeatBitmap;
  readonly #listPages: SeatListPages;
  #available = 0;
  readonly #availableByGrade = new Map<string, number>();
  #sold = 0;
  #nextExpiryMs = Infinity;
  #geometry: SeatGeometry | undefined;
  #runs: readonly SeatRun[] | undefined;
  #chart: ChartBodies | undefined;

  constructor(scheduleId: string, seats: readonly SeatRow[], nowMs: number) {
    this.#scheduleId = scheduleId;
    this.#seats = seats;
    this.#bitmap = new SeatBitmap(scheduleId, seats.length, nowMs);
    this.#listPages = new SeatListPages(seats);
    seats.forEach((seat, index) => {
      this.#indexById.set(seat.id, index);
      this.#bitmap.set(index, seat.status);
      if (seat.status === 'AVAILABLE') this.#countAvailable(seat, 1);
      else if (seat.status === 'SOLD') this.#sold += 1;
      else this.#trackHold(index, assertDefined(seat.heldUntilMs, 'a held seat has no expiry time'));
    });
  }

  find(seatId: string): SeatOnChart | undefined {
    const position = this.#indexById.get(seatId);
    if (position === undefined) return undefined;
    const { id, label, section, row, number, numberName, grade, price } = this.seatAt(position);
    return { id, label, section, row, number: numberName ?? String(number), grade, price, position };
  }

  /** How many seats the date has. */
  get size(): number {
    return this.#seats.length;
  }

  /** Runs of adjacent seats, the best first. */
  get runs(): readonly SeatRun[] {
    return (this.#runs ??= seatRunsOf(this.#computedGeometry(), this.#seats));
  }

  /** Everything that never changes, as it is sent to clients. */
  chart(currency: string): ChartBodies {
    return (this.#chart ??= new ChartBodies(
      drawChart(this.#scheduleId, currency, this.#seats, this.#computedGeometry()),
    ));
  }

  /** As of the last `releaseExpiredHolds`: the search for the best seats calls this for every seat. */
  isAvailable(index: number): boolean {
    return this.#seats[index]?.status === 'AVAILABLE';
  }

  seatAt(index: number): Readonly<SeatRow> {
    return this.#seat(index);
  }

  apply(change: SeatChange): void {
    for (const seatId of change.seatIds) {
      const index = assertDefined(this.#indexById.get(seatId), 'a changed seat is not in its inventory');
      if (change.status === 'HELD') this.#trackHold(index, change.untilMs);
      else this.#holdExpiriesMs.delete(index);
      this.#setStatus(index, change.status);
    }
  }

  /** A seat is available from the instant its hold expires, even if the database still says HELD. */
  releaseExpiredHolds(nowMs: number): void {
    if (nowMs < this.#nextExpiryMs) return;
    this.#nextExpiryMs = Infinity;
    for (const [index, expiresAtMs] of this.#holdExpiriesMs) {
      if (expiresAtMs <= nowMs) {
        this.#holdExpiriesMs.delete(index);
        this.#setStatus(index, 'AVAILABLE');
      } else {
        this.#nextExpiryMs = Math.min(this.#nextExpiryMs, expiresAtMs);
      }
    }
  }

  counts(nowMs: number): SeatCounts {
    this.releaseExpiredHolds(nowMs);
    const total = this.#seats.length;
    return {
      total,
      available: this.#available,
      sold: this.#sold,
      held: total - this.#available - this.#sold,
    };
  }

  /** Available seats by `gradeKey`. */
  availableByGrade(nowMs: number): ReadonlyMap<string, number> {
    this.releaseExpiredHolds(nowMs);
    return this.#availableByGrade;
  }

  /** A page of the seat list as JSON, if one starts at this seat. */
  listPage(nowMs: number, start: number): Buffer | undefined {
    this.releaseExpiredHolds(nowMs);
    return this.#listPages.startingAt(start);
  }

  /** The state of every seat in two bits each. */
  stateBody(nowMs: number, encoding: Encoding): Promise<EncodedBody> {
    this.releaseExpiredHolds(nowMs);
    return this.#bitmap.encoded(encoding);
  }

  seats(nowMs: number): readonly SeatRow[] {
    this.releaseExpiredHolds(nowMs);
    return this.#seats;
  }

  #computedGeometry(): SeatGeometry {
    return (this.#geometry ??= computeGeometry(this.#seats));
  }

  #seat(index: number): SeatRow {
    return assertDefined(this.#seats[index], 'a seat index is beyond the inventory');
  }

  #countAvailable(seat: SeatRow, change: 1 | -1): void {
    const key = gradeKey(seat);
    this.#available += change;
    this.#availableByGrade.set(key, (this.#availableByGrade.get(key) ?? 0) + change);
  }

  #trackHold(index: number, expiresAtMs: number): void {
    this.#holdExpiriesMs.set(index, expiresAtMs);
    this.#nextExpiryMs = Math.min(this.#nextExpiryMs, expiresAtMs);
  }

  #setStatus(index: number, status: SeatStatus): void {
    const seat = this.#seat(index);
    if (seat.status === status) return;
    if (status === 'AVAILABLE') this.#countAvailable(seat, 1);
    else if (seat.status === 'AVAILABLE') this.#countAvailable(seat, -1);
    this.#sold += Number(status === 'SOLD') - Number(seat.status === 'SOLD');
    seat.status = status;
    this.#bitmap.set(index, status);
    this.#listPages.invalidate(index);
  }
}
