import { isRecord, keep, useKept } from './kept.js';

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

const kept = keep('foyer.places', parsePlaces);

/** Where this account stands in line, kept so that neither a reload nor a restart loses it. */
export const places = {
  of: (concertId: string): string | undefined => kept.get().tokens[concertId],
  keep(concertId: string, token: string): void {
    const { userId, tokens } = kept.get();
    if (tokens[concertId] !== token) kept.set({ userId, tokens: { ...tokens, [concertId]: token } });
  },
  forget(concertId: string): void {
    const { userId, tokens } = kept.get();
    const { [concertId]: _, ...others } = tokens;
    if (concertId in tokens) kept.set({ userId, tokens: others });
  },
  belongTo(userId: string | null): void {
    if (kept.get().userId !== userId) kept.set({ userId, tokens: {} });
  },
};

export const usePlace = (concertId: string): string | undefined => useKept(kept).tokens[concertId];

/** Every place of this account that this browser knows of, by concert. */
export const usePlaces = (): Readonly<Record<string, string>> => useKept(kept).tokens;
