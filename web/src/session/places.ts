import { isRecord } from '../is-record.js';
import { createPersistedStore, useStore } from '../store/index.js';

/** The queue tokens of one account, by concert id. */
interface Places {
  readonly userId: string | null;
  readonly tokens: Readonly<Record<string, string>>;
}

const NO_PLACES: Places = { userId: null, tokens: {} };

function parsePlaces(found: unknown): Places {
  if (!isRecord(found) || typeof found['userId'] !== 'string' || !isRecord(found['tokens'])) return NO_PLACES;
  const tokens = Object.entries(found['tokens']).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { userId: found['userId'], tokens: Object.fromEntries(tokens) };
}

const store = createPersistedStore('foyer.places', parsePlaces);

/** The places of the signed-in account, persisted so that they survive a reload or restart. */
export const places = {
  tokenOf: (concertId: string): string | undefined => store.get().tokens[concertId],
  save(concertId: string, token: string): void {
    const { userId, tokens } = store.get();
    if (tokens[concertId] !== token) store.set({ userId, tokens: { ...tokens, [concertId]: token } });
  },
  remove(concertId: string): void {
    const { userId, tokens } = store.get();
    const { [concertId]: _, ...others } = tokens;
    if (concertId in tokens) store.set({ userId, tokens: others });
  },
  setOwner(userId: string | null): void {
    if (store.get().userId !== userId) store.set({ userId, tokens: {} });
  },
};

export const usePlace = (concertId: string): string | undefined => useStore(store).tokens[concertId];

/** The queue tokens that this browser knows, by concert id. */
export const usePlaces = (): Readonly<Record<string, string>> => useStore(store).tokens;
