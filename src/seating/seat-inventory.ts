import { assertDefined } from '../kernel/assert.js';
import type { SeatRow } from '../catalog/queries.js';
import { type SeatRun, seatRunsOf } from './seat-runs.js';
import { ChartBodies, drawChart, gradesOf, type Priced } from './seat-chart.js';
import { computeGeometry, type SeatGeometry } from './seat-geometry.js';
import { type EncodedBody, SeatBitmap } from './seat-bitmap.js';
import type { Encoding } from '../platform/web/index.js';

export type SeatStatus = 'AVAILABLE' | 'HELD' | 'SOLD';

/** What became of seats, in the words of the room that decided it. Absolute, so applying it twice changes nothing. */
export type SeatChange =
  | { readonly seatIds: readonly string[]; readonly status: 'HELD'; readonly untilMs: number }
  | { readonly seatIds: readonly string[]; readonly status: 'AVAILABLE' | 'SOLD' };

export interface SeatOnChart {
  readonly id: string;
  readonly label: string;
  readonly grade: string;
  readonly price: number;
  readonly position: number;
}

/** One date's seats in memory: the chart, which never changes, and the state, which follows every commit. */
export class SeatInventory {
  readonly #seats: readonly SeatRow[];
  readonly #indexById = new Map<string, number>();
  /** Each seat as JSON, written when the list is asked for and not at every change. */
  readonly #fragments: (string | undefined)[];
  /** Index → when the hold runs out. */
  readonly #held = new Map<number, number>();
  readonly #changed = new Set<number>();
  #available = 0;
  #sold = 0;
  #nextRunOutMs = Infinity;
  #body: Buffer | undefined;
  readonly #id: string;
  readonly #state: SeatBitmap;
  #plan: SeatGeometry | undefined;
  #runs: readonly SeatRun[] | undefined;
  #grades: readonly Priced[] | undefined;
  #chart: ChartBodies | undefined;

  constructor(scheduleId: string, seats: readonly SeatRow[], nowMs: number) {
    this.#id = scheduleId;
    this.#seats = seats;
    this.#state = new SeatBitmap(scheduleId, seats.length, nowMs);
    this.#fragments = new Array<string | undefined>(seats.length);
    seats.forEach((seat, index) => {
      this.#indexById.set(seat.id, index);
      this.#state.set(index, seat.status);
      if (seat.status === 'AVAILABLE') this.#available += 1;
      else if (seat.status === 'SOLD') this.#sold += 1;
      else this.#keepHold(index, assertDefined(seat.heldUntilMs, 'a held seat has no end'));
    });
  }

  /** What never changes of a seat of this date, and where it stands on the chart. */
  find(seatId: string): SeatOnChart | undefined {
    const position = this.#indexById.get(seatId);
    if (position === undefined) return undefined;
    const { id, label, grade, price } = this.#seat(position);
    return { id, label, grade, price, position };
  }

  /** The grades and prices of this date, the dearest first. */
  get grades(): readonly Priced[] {
    return (this.#grades ??= gradesOf(this.#seats));
  }

  /** Seats side by side, the nearest to the stage first. */
  get runs(): readonly SeatRun[] {
    return (this.#runs ??= seatRunsOf(this.#laidOut()));
  }

  /** What never changes of this date, as it is sent. */
  chart(currency: string): ChartBodies {
    return (this.#chart ??= new ChartBodies(
      drawChart({ id: this.#id, currency }, this.#seats, this.#laidOut()),
    ));
  }

  /** As of the last `settle`. Asked of every seat of a hall when the best are looked for. */
  isFree(index: number): boolean {
    return this.#seats[index]?.status === 'AVAILABLE';
  }

  /** The seat at this place of the chart. */
  at(index: number): Readonly<SeatRow> {
    return this.#seat(index);
  }

  apply(change: SeatChange): void {
    for (const seatId of change.seatIds) {
      const index = assertDefined(this.#indexById.get(seatId), 'a seat changed that is not on its inventory');
      if (change.status === 'HELD') this.#keepHold(index, change.untilMs);
      else this.#held.delete(index);
      this.#set(index, change.status);
    }
  }

  /** What has run out is free from that instant, whether or not anybody has tidied it up. */
  releaseExpiredHolds(nowMs: number): void {
    if (nowMs < this.#nextRunOutMs) return;
    this.#nextRunOutMs = Infinity;
    for (const [index, untilMs] of this.#held) {
      if (untilMs <= nowMs) {
        this.#held.delete(index);
        this.#set(index, 'AVAILABLE');
      } else {
        this.#nextRunOutMs = Math.min(this.#nextRunOutMs, untilMs);
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

  /** The whole list as JSON, made once a change: a rush asks for it far more often than seats change hands. */
  body(nowMs: number): Buffer {
    this.releaseExpiredHolds(nowMs);
    this.#body ??= Buffer.from(`{"items":[${this.#items()}],"nextCursor":null}`);
    return this.#body;
  }

  /** What does change, two bits a seat. */
  state(nowMs: number, encoding: Encoding): Promise<EncodedBody> {
    this.releaseExpiredHolds(nowMs);
    return this.#state.encoded(encoding);
  }

  seats(nowMs: number): readonly SeatRow[] {
    this.releaseExpiredHolds(nowMs);
    return this.#seats;
  }

  /** The seats that changed since this was last asked. */
  takeChanges(nowMs: number): { id: string; status: SeatStatus }[] {
    this.releaseExpiredHolds(nowMs);
    const changes = [...this.#changed].map((index) => {
      const { id, status } = this.#seat(index);
      return { id, status };
    });
    this.#changed.clear();
    return changes;
  }

  #items(): string {
    return this.#seats
      .map((seat, index) => (this.#fragments[index] ??= JSON.stringify(toSeat(seat))))
      .join(',');
  }

  #laidOut(): SeatGeometry {
    return (this.#plan ??= computeGeometry(this.#seats));
  }

  #seat(index: number): SeatRow {
    return assertDefined(this.#seats[index], 'a seat index beyond the inventory');
  }

  #keepHold(index: number, untilMs: number): void {
    this.#held.set(index, untilMs);
    this.#nextRunOutMs = Math.min(this.#nextRunOutMs, untilMs);
  }

  #set(index: number, status: SeatStatus): void {
    const seat = this.#seat(index);
    if (seat.status === status) return;
    this.#available += Number(status === 'AVAILABLE') - Number(seat.status === 'AVAILABLE');
    this.#sold += Number(status === 'SOLD') - Number(seat.status === 'SOLD');
    seat.status = status;
    this.#fragments[index] = undefined;
    this.#changed.add(index);
    this.#state.set(index, status);
    this.#body = undefined;
  }
}

export function toSeat({ id, section, row, number, label, grade, price, status }: SeatRow) {
  return { id, section, row, number, label, grade, price, status };
}
