import type { Sql } from '../platform/sql/index.js';
import { seatsChanged } from '../catalog/topics.js';
import { listSeatsOf } from '../catalog/queries.js';
import { createReadUntilStable } from '../platform/sql/read-until-stable.js';
import { SeatInventory, type SeatChange } from './seat-inventory.js';

/** The boards of the dates this process has been asked about. */
export interface SeatInventories {
  of(scheduleId: string): Promise<SeatInventory>;
}

export function createSeatInventories(sql: Sql): SeatInventories {
  const inventories = new Map<string, SeatInventory>();
  /** Changes committed while a board was being read; they may or may not be in what was read. */
  const reading = new Map<
    string,
    { readonly inventory: Promise<SeatInventory>; readonly missed: SeatChange[] }
  >();

  const steadily = createReadUntilStable(sql);

  async function read(scheduleId: string, missed: readonly SeatChange[]): Promise<SeatInventory> {
    const seats = await steadily(() => sql.reader.all(listSeatsOf, [scheduleId]));
    const inventory = new SeatInventory(scheduleId, seats, sql.nowMs());
    for (const change of missed) inventory.apply(change);
    inventories.set(scheduleId, inventory);
    return inventory;
  }

  // A date nobody has looked at needs no board: it will be read as it is then.
  sql.subscribe(seatsChanged, ({ scheduleId, change }) => {
    reading.get(scheduleId)?.missed.push(change);
    inventories.get(scheduleId)?.apply(change);
  });
  sql.onFeedGap(() => {
    inventories.clear();
    return Promise.resolve();
  });

  return {
    async of(scheduleId) {
      const known = inventories.get(scheduleId);
      if (known) return known;
      const underWay = reading.get(scheduleId);
      if (underWay) return underWay.inventory;
      const missed: SeatChange[] = [];
      const inventory = read(scheduleId, missed).finally(() => reading.delete(scheduleId));
      reading.set(scheduleId, { inventory, missed });
      return inventory;
    },
  };
}
