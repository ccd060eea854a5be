import { api, type Reservation } from '../api/index.js';
import type { Account } from '../session/index.js';
import { createStore, useStore } from '../store/index.js';

/** The newest reservations, which include every unpaid one of a fan who is booking. */
const RECENT = '20';
const NO_HOLDS: readonly Reservation[] = [];

const holds = createStore<{ readonly userId?: string; readonly items: readonly Reservation[] }>({
  items: NO_HOLDS,
});

/** The unpaid reservations of the signed-in account, shared by everything that shows them. */
export const myHolds = {
  async load({ user, accessToken: token }: Account, signal: AbortSignal): Promise<void> {
    const { items } = await api.get('/reservations', { token, signal, query: { limit: RECENT } });
    if (!signal.aborted)
      holds.set({ userId: user.id, items: items.filter(({ status }) => status === 'HELD') });
  },
  remove(id: string): void {
    const { items, ...owner } = holds.get();
    holds.set({ ...owner, items: items.filter((hold) => hold.id !== id) });
  },
};

export function useMyHolds(account: Account): readonly Reservation[] {
  const { userId, items } = useStore(holds);
  return userId === account.user.id ? items : NO_HOLDS;
}
