import type { Caller } from '../kernel/caller.js';
import { guard } from '../kernel/guard.js';
import { Refusal } from '../kernel/refusal.js';
import type { Tx } from '../platform/sql/index.js';
import { listTakenSeats, SeatChooser, type SeatInventories } from '../seating/index.js';
import type { WaitingRoom } from '../waiting-room/index.js';
import type { HoldSeats, RequireBookable } from './hold-seats.js';
import type { ReservationRow } from './queries.js';

export interface BestSeatsRequest {
  readonly caller: Caller;
  readonly scheduleId: string;
  readonly count: number;
  readonly grade?: string | undefined;
}

/** A fan who loses this many races is competing for the last few seats. */
const ATTEMPTS_MAX = 16;

/**
 * Holds the best adjacent seats. The inventory in memory proposes them, the claim in the database decides. If a proposal
 * was taken, this checks which other candidates are taken too and tries again in the same transaction.
 */
export const createHoldBestSeats = (deps: {
  readonly requireBookable: RequireBookable;
  readonly holdSeats: HoldSeats;
  readonly inventories: SeatInventories;
  readonly waitingRoom: Pick<WaitingRoom, 'policyOf'>;
}) => {
  const { requireBookable, holdSeats, inventories, waitingRoom } = deps;

  return async (tx: Tx, { caller, scheduleId, count, grade }: BestSeatsRequest): Promise<ReservationRow> => {
    const { concert } = await requireBookable(tx, caller, scheduleId);
    const { maxSeatsPerUser } = waitingRoom.policyOf(concert.id);
    if (count > maxSeatsPerUser) throw new Refusal('SEAT_LIMIT_EXCEEDED', { limit: maxSeatsPerUser });
    const inventory = await inventories.of(scheduleId);
    inventory.releaseExpiredHolds(tx.nowMs);
    const chooser = new SeatChooser(inventory, count, grade);

    for (let attempt = 0; attempt < guard('best-seats-attempts', ATTEMPTS_MAX); attempt += 1) {
      const seatIds = chooser.choose(attempt);
      if (!seatIds) break;
      const reservation = await unlessTaken(tx, () => holdSeats(tx, { caller, scheduleId, seatIds }));
      if (reservation) return reservation;
      const candidateIds = new Set([...seatIds, ...chooser.lookAhead()]);
      chooser.exclude(await listTakenSeats(tx, [...candidateIds]));
    }
    throw new Refusal('NO_SEATS_TOGETHER');
  };
};

/** Rolls back to a savepoint and returns undefined if a seat was taken. Throws every other refusal. */
async function unlessTaken(tx: Tx, hold: () => Promise<ReservationRow>): Promise<ReservationRow | undefined> {
  try {
    return await tx.withSavepoint(hold);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'ALREADY_RESERVED_SEAT') return undefined;
    throw error;
  }
}
