import type { SeatInventory, SeatOnChart } from '../inventory/seat-inventory.js';
import { bestChoices, type SeatChoice, type SeatRequest } from './best-choices.js';

/** Later attempts choose among at most this many. */
const CANDIDATES_MAX = 64;

/**
 * Proposes the best available seats for one request. The inventory may lag behind the database, so the caller claims
 * each proposal, and asks again if it was taken.
 */
export class SeatChooser {
  readonly #inventory: SeatInventory;
  readonly #request: SeatRequest;

  /** `excludedIds`: seats that are not proposed although they are available. */
  constructor(
    inventory: SeatInventory,
    count: number,
    grade: string | undefined,
    excludedIds: ReadonlySet<string>,
  ) {
    this.#inventory = inventory;
    this.#request = {
      count,
      isAvailable: (seat) => inventory.isAvailable(seat) && !excludedIds.has(inventory.seatAt(seat).id),
      matchesGrade: (seat) => grade === undefined || inventory.seatAt(seat).grade === grade,
    };
  }

  /**
   * The best choice in attempt 0. Later attempts pick at random among the best 2^attempt: fans who lost the same race would
   * otherwise compete for the same seats again and again.
   */
  choose(attempt: number): readonly SeatOnChart[] | undefined {
    const candidatesMax = Math.min(2 ** attempt, CANDIDATES_MAX);
    const choice = this.#best(1 + Math.floor(Math.random() * candidatesMax)).at(-1);
    return choice?.seats.flatMap((seat) => this.#inventory.find(this.#inventory.seatAt(seat).id) ?? []);
  }

  #best(count: number): SeatChoice[] {
    const choices: SeatChoice[] = [];
    for (const choice of bestChoices(this.#inventory.runs, this.#request)) {
      choices.push(choice);
      if (choices.length === count) break;
    }
    return choices;
  }
}
