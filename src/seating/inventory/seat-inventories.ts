import { createReadUntilStable, type Sql } from '../../platform/sql/index.js';
import { type SeatChange, seatsChanged } from '../change-seats.js';
import { listSeatsOf } from '../queries.js';
import { SeatInventory } from './seat-inventory.js';

interface Loading {
  readonly inventory: Promise<SeatInventory>;
  /** Changes committed during the load: the rows read may or may not include them. */
  readonly changes: SeatChange[];
}

/** The inventory of each date, loaded on first use and kept up to date by `seatsChanged`. */
export function createSeatInventories(sql: Sql) {
  const inventories = new Map<string, SeatInventory>();
  const loading = new Map<string, Loading>();
  const readUntilStable = createReadUntilStable(sql);

  async function load(scheduleId: string, changes: readonly SeatChange[]): Promise<SeatInventory> {
    const seats = await readUntilStable(() => sql.reader.all(listSeatsOf, [scheduleId]));
    const inventory = new SeatInventory(scheduleId, seats, sql.nowMs());
    for (const change of changes) inventory.apply(change);
    inventories.set(scheduleId, inventory);
    return inventory;
  }

  sql.subscribe(seatsChanged, ({ scheduleId, change }) => {
    loading.get(scheduleId)?.changes.push(change);
    inventories.get(scheduleId)?.apply(change);
  });
  sql.onFeedGap(() => {
    inventories.clear();
  });

  return {
    async of(scheduleId: string): Promise<SeatInventory> {
      const loaded = inventories.get(scheduleId) ?? loading.get(scheduleId)?.inventory;
      if (loaded) return loaded;
      const changes: SeatChange[] = [];
      const inventory = load(scheduleId, changes).finally(() => loading.delete(scheduleId));
      loading.set(scheduleId, { inventory, changes });
      return inventory;
    },
  };
}

export type SeatInventories = ReturnType<typeof createSeatInventories>;
