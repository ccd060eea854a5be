import { isRecord } from '../is-record.js';
import { createPersistedStore } from '../store/index.js';

/** Where one began to wait, by concert: what the progress bar counts from. */
type Starts = Readonly<Record<string, { readonly joinedAt: string; readonly rank: number }>>;

function parseStarts(found: unknown): Starts {
  if (!isRecord(found)) return {};
  const entries = Object.entries(found).flatMap(([concertId, start]) => {
    if (!isRecord(start)) return [];
    const { joinedAt, rank } = start;
    return typeof joinedAt === 'string' && typeof rank === 'number'
      ? [[concertId, { joinedAt, rank }] as const]
      : [];
  });
  return Object.fromEntries(entries);
}

const starts = createPersistedStore('foyer.lines', parseStarts);

/** How much of the line is behind this fan, 0 to 1. It only grows: the rank only falls, and the start stays. */
export function progressOf(concertId: string, joinedAt: string, rank: number): number {
  const known = starts.get()[concertId];
  const start = known?.joinedAt === joinedAt ? known.rank : 0;
  return start <= rank ? 0 : (start - rank) / start;
}

/** Remembers the start at the first word of a place. */
export function rememberStart(concertId: string, joinedAt: string, rank: number): void {
  const known = starts.get()[concertId];
  if (known?.joinedAt === joinedAt && known.rank >= rank) return;
  starts.set({ ...starts.get(), [concertId]: { joinedAt, rank } });
}
