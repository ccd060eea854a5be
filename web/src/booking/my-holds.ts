import { api, type Reservation } from '../api/index.js';
import type { Account } from '../session/index.js';
import { createStore, useStore } from '../store/index.js';

/** The newest reservations, which include every unpaid one of a fan who is booking. */
const RECENT = '20';
const NO_HOLDS: readonly Reservation[] = [];

const holds = createStore<{ readonly userId?: string; readonly items: readonly Reservation[] }>({
  items: NO_HOLDS,
});

/** Counts local changes. An answer to a request from before a change does not know of it. */
let changes = 0;

/** The unpaid reservations of the signed-in account, shared by everything that shows them. */
export const myHolds = {
  async load({ user, accessToken: token }: Account, signal: AbortSignal): Promise<void> {
    const before = changes;
    const { items } = await api.get('/reservations', { token, signal, query: { limit: RECENT } });
    if (!signal.aborted && before === changes)
      holds.set({ userId: user.id, items: items.filter(({ status }) => status === 'HELD') });
  },
  /** After holding: the bar must not show the place of a fan who already has seats. */
  add(hold: Reservation): void {
    changes += 1;
    const { items, ...owner } = holds.get();
    holds.set({ ...owner, items: [hold, ...items.filter(({ id }) => id !== hold.id)] });
  },
  /** After paying or releasing: the bar does not wait for the next load. */
  remove(id: string): void {
    changes += 1;
    const { items, ...owner } = holds.get();
    holds.set({ ...owner, items: items.filter((hold) => hold.id !== id) });
  },
};

export function useMyHolds(account: Account): readonly Reservation[] {
  const { userId, items } = useStore(holds);
  return userId === account.user.id ? items : NO_HOLDS;
}
