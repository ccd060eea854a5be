import { type Concert, type ConcertCache, saleState } from '../catalog/index.js';
import type { Caller } from '../kernel/caller.js';
import { guard } from '../kernel/guard.js';
import { Refusal } from '../kernel/refusal.js';
import type { Sql } from '../platform/sql/index.js';
import { SeatChooser, type SeatInventories, type SeatOnChart } from '../seating/index.js';
import type { Admitted, WaitingRoom } from '../waiting-room/index.js';

/** A request for seats of one date, checked as far as memory knows. The transaction decides. */
export interface HoldRequest {
  readonly caller: Caller;
  readonly admitted: Admitted;
  readonly concert: Concert;
  readonly schedule: { readonly id: string; readonly startsAtMs: number };
  /** The seats to hold, in chart order. Undefined if there are not enough. `wantedIds`: what earlier requests ask for. */
  chooseSeats(wantedIds: ReadonlySet<string>): Promise<readonly SeatOnChart[] | undefined>;
  /** Whether other seats may be chosen if these are taken. */
  canChooseAgain(): boolean;
}

export function requireOnSale(
  { concert, schedule }: Pick<HoldRequest, 'concert' | 'schedule'>,
  nowMs: number,
): void {
  const state = guard('hold-before-closing', saleState(concert, nowMs));
  if (schedule.startsAtMs <= nowMs || state !== 'OPEN') throw new Refusal('SCHEDULE_CLOSED');
}

/** A fan who loses this many races is competing for the last few seats. */
const ATTEMPTS_MAX = 16;

export function createHoldRequests(deps: {
  readonly sql: Pick<Sql, 'nowMs' | 'waitForChanges'>;
  readonly concertCache: ConcertCache;
  readonly inventories: SeatInventories;
  readonly waitingRoom: Pick<WaitingRoom, 'gate' | 'policyOf'>;
}) {
  const { sql, concertCache, inventories, waitingRoom } = deps;

  /** Refuses unless the caller has an ACTIVE place and the date is on sale. */
  async function requireBookable(caller: Caller, scheduleId: string) {
    // To a fan, the date of a draft does not exist.
    const schedule = await concertCache.publishedSchedule(scheduleId);
    const concert = await concertCache.concert(schedule.concertId);
    const admitted = await waitingRoom.gate.requireActive(caller, concert.id);
    requireOnSale({ concert, schedule }, sql.nowMs());
    return { caller, admitted, concert, schedule };
  }

  return {
    /** A request for exactly these seats: all of them or none. */
    async forSeats(caller: Caller, scheduleId: string, seatIds: readonly string[]): Promise<HoldRequest> {
      const bookable = await requireBookable(caller, scheduleId);
      const inventory = await inventories.of(scheduleId);
      const seats = seatIds.flatMap((id) => inventory.find(id) ?? []);
      if (seats.length < seatIds.length)
        throw new Refusal('SEAT_NOT_FOUND', { seatIds: seatIds.filter((id) => !inventory.find(id)) });
      seats.sort((a, b) => a.position - b.position);
      return { ...bookable, chooseSeats: () => Promise.resolve(seats), canChooseAgain: () => false };
    },

    /** A request for the best adjacent seats. The inventory in memory proposes them. If one was taken, it proposes others. */
    async forBestSeats(
      caller: Caller,
      scheduleId: string,
      count: number,
      grade?: string,
    ): Promise<HoldRequest> {
      const bookable = await requireBookable(caller, scheduleId);
      const { maxSeatsPerUser } = waitingRoom.policyOf(bookable.concert.id);
      if (count > maxSeatsPerUser) throw new Refusal('SEAT_LIMIT_EXCEEDED', { limit: maxSeatsPerUser });
      let attempt = 0;
      return {
        ...bookable,
        async chooseSeats(wantedIds) {
          if (attempt >= guard('best-seats-attempts', ATTEMPTS_MAX)) return undefined;
          // The inventory must know what other processes have sold since the last attempt.
          if (attempt > 0) await sql.waitForChanges();
          const inventory = await inventories.of(scheduleId);
          inventory.releaseExpiredHolds(sql.nowMs());
          attempt += 1;
          // An earlier request may be refused, so its seats are better than none.
          return (
            new SeatChooser(inventory, count, grade, wantedIds).choose(attempt - 1) ??
            new SeatChooser(inventory, count, grade, new Set()).choose(attempt - 1)
          );
        },
        canChooseAgain: () => true,
      };
    },
  };
}

export type HoldRequests = ReturnType<typeof createHoldRequests>;
