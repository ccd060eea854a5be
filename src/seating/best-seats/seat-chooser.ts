import type { SeatInventory } from '../inventory/seat-inventory.js';
import { bestChoices, type SeatChoice, type SeatRequest } from './best-choices.js';

/** One check covers this many choices, so a front row that was sold meanwhile costs one attempt. */
const LOOK_AHEAD_MAX = 64;

/**
 * Proposes the best available seats for one request. The inventory may lag behind the database, so the caller claims
 * each proposal and, if it was taken, reports taken seats before the next attempt.
 */
export class SeatChooser {
  readonly #inventory: SeatInventory;
  readonly #request: SeatRequest;
  readonly #takenIds = new Set<string>();

  constructor(inventory: SeatInventory, count: number, grade: string | undefined) {
    this.#inventory = inventory;
    this.#request = {
      count,
      isAvailable: (seat) => inventory.isAvailable(seat) && !this.#takenIds.has(inventory.seatAt(seat).id),
      matchesGrade: (seat) => grade === undefined || inventory.seatAt(seat).grade === grade,
    };
  }

  /**
   * The best choice in attempt 0. Later attempts pick at random among the best 2^attempt: fans who lost the same race would
   * otherwise compete for the same seats again and again.
   */
  choose(attempt: number): readonly string[] | undefined {
    const candidatesMax = Math.min(2 ** attempt, LOOK_AHEAD_MAX);
    const choice = this.#best(1 + Math.floor(Math.random() * candidatesMax)).at(-1);
    return choice && this.#idsOf([choice]);
  }

  /** The seats that later attempts may choose: check them for taken ones in one query. */
  lookAhead(): readonly string[] {
    return this.#idsOf(this.#best(LOOK_AHEAD_MAX));
  }

  exclude(takenIds: readonly string[]): void {
    for (const id of takenIds) this.#takenIds.add(id);
  }

  #best(count: number): SeatChoice[] {
    const choices: SeatChoice[] = [];
    for (const choice of bestChoices(this.#inventory.runs, this.#request)) {
      choices.push(choice);
      if (choices.length === count) break;
    }
    return choices;
  }

  #idsOf(choices: readonly SeatChoice[]): string[] {
    return choices.flatMap(({ seats }) => seats.map((seat) => this.#inventory.seatAt(seat).id));
  }
}
