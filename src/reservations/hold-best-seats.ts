import { guard } from '../kernel/guard.js';
import type { SeatInventory, SeatInventories } from '../catalog/index.js';
import type { Caller } from '../kernel/caller.js';
import { Refusal } from '../kernel/refusal.js';
import type { Tx } from '../platform/sql/index.js';
import type { WaitingRoom } from '../waiting-room/index.js';
import { bestChoices, type SeatChoice, type SeatRequest } from '../seating/best-seats.js';
import type { EnterSale, Hold } from './hold-seats.js';
import { listTakenSeats, type ReservationRow } from './queries.js';

export interface PlaceBestHold {
  readonly caller: Caller;
  readonly scheduleId: string;
  readonly count: number;
  readonly grade?: string | undefined;
}

/** Each try tells of this many choices whether they are gone, so that a whole front row sold meanwhile costs one. */
const LOOK_AHEAD = 64;
/** Enough that being beaten every time means that there is hardly anything left. */
const TRIES_MAX = 16;

/**
 * Holds the best seats that are free side by side. The board proposes, the seats' rows decide: whoever finds a choice
 * taken learns what else is, and chooses again within the same transaction.
 */
export const createHoldBest = (deps: {
  readonly enter: EnterSale;
  readonly hold: Hold;
  readonly inventories: SeatInventories;
  readonly waitingRoom: Pick<WaitingRoom, 'policyOf'>;
}) => {
  const { enter, hold, inventories, waitingRoom } = deps;

  return async (tx: Tx, { caller, scheduleId, count, grade }: PlaceBestHold): Promise<ReservationRow> => {
    const { concert } = await enter(tx, caller, scheduleId);
    const { maxSeatsPerUser } = waitingRoom.policyOf(concert.id);
    if (count > maxSeatsPerUser) throw new Refusal('SEAT_LIMIT_EXCEEDED', { limit: maxSeatsPerUser });
    const inventory = await inventories.of(scheduleId);
    inventory.releaseExpiredHolds(tx.nowMs);
    const taken = new Set<string>();
    const wish: SeatRequest = {
      count,
      isFree: (seat) => inventory.isFree(seat) && !taken.has(inventory.at(seat).id),
      isWanted: (seat) => grade === undefined || inventory.at(seat).grade === grade,
    };

    for (let tries = 0; tries < guard('best-seats-attempts', TRIES_MAX); tries += 1) {
      const choice = choose(inventory, wish, tries);
      if (!choice) break;
      const seatIds = idsOf(inventory, [choice]);
      const held = await unlessTaken(tx, () => hold(tx, { caller, scheduleId, seatIds }));
      if (held) return held;
      const ahead = idsOf(inventory, [choice, ...firstOf(bestChoices(inventory.runs, wish), LOOK_AHEAD)]);
      for (const { id } of await tx.all(listTakenSeats, [ahead, tx.nowMs])) taken.add(id);
    }
    throw new Refusal('NO_SEATS_TOGETHER');
  };
};

/**
 * The best there is; from the second try on one of the next few, by chance: those who were beaten together would go for
 * the same seats together, again and again.
 */
function choose({ runs }: SeatInventory, wish: SeatRequest, tries: number): SeatChoice | undefined {
  const few = Math.min(2 ** tries, LOOK_AHEAD);
  const choices = firstOf(bestChoices(runs, wish), 1 + Math.floor(Math.random() * few));
  return choices.at(-1);
}

function firstOf(choices: Iterable<SeatChoice>, count: number): SeatChoice[] {
  const first: SeatChoice[] = [];
  for (const choice of choices) {
    first.push(choice);
    if (first.length === count) break;
  }
  return first;
}

const idsOf = (inventory: SeatInventory, choices: readonly SeatChoice[]): string[] => [
  ...new Set(choices.flatMap(({ seats }) => seats.map((seat) => inventory.at(seat).id))),
];

/** What was begun is undone; any other refusal stands. */
async function unlessTaken(tx: Tx, work: () => Promise<ReservationRow>): Promise<ReservationRow | undefined> {
  try {
    return await tx.withSavepoint(work);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'ALREADY_RESERVED_SEAT') return undefined;
    throw error;
  }
}
