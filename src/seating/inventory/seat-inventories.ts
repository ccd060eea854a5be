import { createReadUntilStable, type Sql } from '../../platform/sql/index.js';
import { type SeatChange, seatsChanged } from '../change-seats.js';
import { listSeatsOf } from '../queries.js';
import { SeatInventory } from './seat-inventory.js';

interface Loading {
  readonly inventory: Promise<SeatInventory>;
  /** Changes committed during the load: the rows read may or may not include them. */
  readonly changes: SeatChange[];
}

/**
 * Seats in memory per process. A date beyond this limit is still loaded, and evicts the ones that were not used for the
 * longest time.
 */
const LOADED_SEATS_MAX = 400_000;

/**
 * The inventory of each date, loaded on first use, kept up to date by `seatsChanged`, and evicted when others need the
 * memory. An evicted inventory receives no more changes, so do not keep one beyond a request: ask for it again.
 */
export function createSeatInventories(sql: Sql, loadedSeatsMax = LOADED_SEATS_MAX) {
  /** The least recently used first. */
  const inventories = new Map<string, SeatInventory>();
  const loading = new Map<string, Loading>();
  const readUntilStable = createReadUntilStable(sql);
  let loadedSeats = 0;

  async function load(scheduleId: string, changes: readonly SeatChange[]): Promise<SeatInventory> {
    const seats = await readUntilStable(() => sql.reader.all(listSeatsOf, [scheduleId]));
    const inventory = new SeatInventory(scheduleId, seats, sql.nowMs());
    for (const change of changes) inventory.apply(change);
    inventories.set(scheduleId, inventory);
    loadedSeats += inventory.size;
    evictOthers(scheduleId);
    return inventory;
  }

  function evictOthers(keptId: string): void {
    for (const [scheduleId, inventory] of inventories) {
      if (loadedSeats <= loadedSeatsMax || scheduleId === keptId) return;
      inventories.delete(scheduleId);
      loadedSeats -= inventory.size;
    }
  }

  sql.subscribe(seatsChanged, ({ scheduleId, change }) => {
    loading.get(scheduleId)?.changes.push(change);
    inventories.get(scheduleId)?.apply(change);
  });
  sql.onFeedGap(() => {
    inventories.clear();
    loadedSeats = 0;
  });

  return {
    async of(scheduleId: string): Promise<SeatInventory> {
      const loaded = inventories.get(scheduleId);
      if (loaded) {
        inventories.delete(scheduleId);
        inventories.set(scheduleId, loaded);
        return loaded;
      }
      const pending = loading.get(scheduleId);
      if (pending) return pending.inventory;
      const changes: SeatChange[] = [];
      const inventory = load(scheduleId, changes).finally(() => loading.delete(scheduleId));
      loading.set(scheduleId, { inventory, changes });
      return inventory;
    },

    /** The inventory if it is loaded. Does not count as a use. */
    peek: (scheduleId: string): SeatInventory | undefined => inventories.get(scheduleId),

    size: () => ({ inventories: inventories.size, seats: loadedSeats }),
  };
}

export type SeatInventories = ReturnType<typeof createSeatInventories>;
