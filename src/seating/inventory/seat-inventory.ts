import { assertDefined } from '../../kernel/assert.js';
import type { Encoding } from '../../platform/web/index.js';
import { type SeatRun, seatRunsOf } from '../map/seat-runs.js';
import type { SeatChange } from '../change-seats.js';
import { computeGeometry, type SeatGeometry } from '../map/seat-geometry.js';
import type { SeatRow, SeatStatus } from '../queries.js';
import { ChartBodies, drawChart, gradesOf, type GradePrice } from './seat-chart.js';
import { type EncodedBody, SeatBitmap } from './seat-bitmap.js';

export interface SeatOnChart {
  readonly id: string;
  readonly label: string;
  readonly grade: string;
  readonly price: number;
  /** The index in chart order. */
  readonly position: number;
}

/** The seats of one date in memory: the chart, which never changes, and the state, which follows every commit. */
export class SeatInventory {
  readonly #scheduleId: string;
  readonly #seats: readonly SeatRow[];
  readonly #indexById = new Map<string, number>();
  /** The JSON of each seat, computed when a list needs it and not at every change. */
  readonly #fragments: (string | undefined)[];
  readonly #holdExpiriesMs = new Map<number, number>();
  readonly #changed = new Set<number>();
  readonly #bitmap: SeatBitmap;
  #available = 0;
  #sold = 0;
  #nextExpiryMs = Infinity;
  #listBody: Buffer | undefined;
  #geometry: SeatGeometry | undefined;
  #runs: readonly SeatRun[] | undefined;
  #grades: readonly GradePrice[] | undefined;
  #chart: ChartBodies | undefined;

  constructor(scheduleId: string, seats: readonly SeatRow[], nowMs: number) {
    this.#scheduleId = scheduleId;
    this.#seats = seats;
    this.#bitmap = new SeatBitmap(scheduleId, seats.length, nowMs);
    this.#fragments = new Array<string | undefined>(seats.length);
    seats.forEach((seat, index) => {
      this.#indexById.set(seat.id, index);
      this.#bitmap.set(index, seat.status);
      if (seat.status === 'AVAILABLE') this.#available += 1;
      else if (seat.status === 'SOLD') this.#sold += 1;
      else this.#trackHold(index, assertDefined(seat.heldUntilMs, 'a held seat has no expiry time'));
    });
  }

  find(seatId: string): SeatOnChart | undefined {
    const position = this.#indexById.get(seatId);
    if (position === undefined) return undefined;
    const { id, label, grade, price } = this.seatAt(position);
    return { id, label, grade, price, position };
  }

  /** The grades and prices of this date, highest price first. */
  get grades(): readonly GradePrice[] {
    return (this.#grades ??= gradesOf(this.#seats));
  }

  /** Runs of adjacent seats, nearest to the stage first. */
  get runs(): readonly SeatRun[] {
    return (this.#runs ??= seatRunsOf(this.#computedGeometry()));
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

  counts(nowMs: number): { total: number; available: number; sold: number; held: number } {
    this.releaseExpiredHolds(nowMs);
    const total = this.#seats.length;
    return {
      total,
      available: this.#available,
      sold: this.#sold,
      held: total - this.#available - this.#sold,
    };
  }

  /** The whole list as JSON, cached until a seat changes: in a rush, reads far outnumber changes. */
  listBody(nowMs: number): Buffer {
    this.releaseExpiredHolds(nowMs);
    this.#listBody ??= Buffer.from(`{"items":[${this.#itemsJson()}],"nextCursor":null}`);
    return this.#listBody;
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

  /** The seats that changed since the last call. */
  takeChanges(nowMs: number): { id: string; status: SeatStatus }[] {
    this.releaseExpiredHolds(nowMs);
    const changes = [...this.#changed].map((index) => {
      const { id, status } = this.#seat(index);
      return { id, status };
    });
    this.#changed.clear();
    return changes;
  }

  #itemsJson(): string {
    return this.#seats
      .map((seat, index) => (this.#fragments[index] ??= JSON.stringify(toSeat(seat))))
      .join(',');
  }

  #computedGeometry(): SeatGeometry {
    return (this.#geometry ??= computeGeometry(this.#seats));
  }

  #seat(index: number): SeatRow {
    return assertDefined(this.#seats[index], 'a seat index is beyond the inventory');
  }

  #trackHold(index: number, expiresAtMs: number): void {
    this.#holdExpiriesMs.set(index, expiresAtMs);
    this.#nextExpiryMs = Math.min(this.#nextExpiryMs, expiresAtMs);
  }

  #setStatus(index: number, status: SeatStatus): void {
    const seat = this.#seat(index);
    if (seat.status === status) return;
    this.#available += Number(status === 'AVAILABLE') - Number(seat.status === 'AVAILABLE');
    this.#sold += Number(status === 'SOLD') - Number(seat.status === 'SOLD');
    seat.status = status;
    this.#fragments[index] = undefined;
    this.#changed.add(index);
    this.#bitmap.set(index, status);
    this.#listBody = undefined;
  }
}

export function toSeat({ id, section, row, number, label, grade, price, status }: SeatRow) {
  return { id, section, row, number, label, grade, price, status };
}
