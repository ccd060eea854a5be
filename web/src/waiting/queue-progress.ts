import { isRecord } from '../is-record.js';
import { createPersistedStore } from '../store/index.js';

/** The first known rank of each place, by concert id: where its progress bar starts. */
type QueueStarts = Readonly<Record<string, { readonly joinedAt: string; readonly rank: number }>>;

function parseQueueStarts(stored: unknown): QueueStarts {
  if (!isRecord(stored)) return {};
  const entries = Object.entries(stored).flatMap(([concertId, start]) => {
    if (!isRecord(start)) return [];
    const { joinedAt, rank } = start;
    return typeof joinedAt === 'string' && typeof rank === 'number'
      ? [[concertId, { joinedAt, rank }] as const]
      : [];
  });
  return Object.fromEntries(entries);
}

const starts = createPersistedStore('foyer.lines', parseQueueStarts);

/** The share of the queue that has been admitted since this fan joined, 0 to 1. It only grows. */
export function queueProgress(concertId: string, joinedAt: string, rank: number): number {
  const known = starts.get()[concertId];
  const start = known?.joinedAt === joinedAt ? known.rank : 0;
  return start <= rank ? 0 : (start - rank) / start;
}

/** Stores the first rank of a place. */
export function rememberQueueStart(concertId: string, joinedAt: string, rank: number): void {
  const known = starts.get()[concertId];
  if (known?.joinedAt === joinedAt && known.rank >= rank) return;
  starts.set({ ...starts.get(), [concertId]: { joinedAt, rank } });
}
