import { isRecord } from '../is-record.js';
import { createPersistedStore, useStore } from '../store/index.js';

/** The queue tokens of one account, by concert. */
interface Places {
  readonly userId: string | null;
  readonly tokens: Readonly<Record<string, string>>;
}

const NONE: Places = { userId: null, tokens: {} };

function parsePlaces(found: unknown): Places {
  if (!isRecord(found) || typeof found['userId'] !== 'string' || !isRecord(found['tokens'])) return NONE;
  const tokens = Object.entries(found['tokens']).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { userId: found['userId'], tokens: Object.fromEntries(tokens) };
}

const store = createPersistedStore('foyer.places', parsePlaces);

/** Where this account stands in line, kept so that neither a reload nor a restart loses it. */
export const places = {
  of: (concertId: string): string | undefined => store.get().tokens[concertId],
  keep(concertId: string, token: string): void {
    const { userId, tokens } = store.get();
    if (tokens[concertId] !== token) store.set({ userId, tokens: { ...tokens, [concertId]: token } });
  },
  forget(concertId: string): void {
    const { userId, tokens } = store.get();
    const { [concertId]: _, ...others } = tokens;
    if (concertId in tokens) store.set({ userId, tokens: others });
  },
  belongTo(userId: string | null): void {
    if (store.get().userId !== userId) store.set({ userId, tokens: {} });
  },
};

export const usePlace = (concertId: string): string | undefined => useStore(store).tokens[concertId];

/** Every place of this account that this browser knows of, by concert. */
export const usePlaces = (): Readonly<Record<string, string>> => useStore(store).tokens;
