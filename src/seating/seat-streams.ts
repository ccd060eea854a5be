import type { Sql } from '../platform/sql/index.js';
import { frame, type Stream, type StreamHub, type StreamReply } from '../platform/sse/index.js';
import { seatsChanged } from './change-seats.js';
import type { SeatStatus } from './queries.js';

const keyOf = (placeId: string): string => `seats:${placeId}`;

/** A date that somebody watches, and its changes since the last flush: the last status of each seat. */
interface WatchedDate {
  readonly hasClosed: () => boolean;
  readonly streams: Set<Stream>;
  readonly changes: Map<string, SeatStatus>;
}

/** Who may watch the seats of a date, and until when. */
export interface SeatAccess {
  readonly placeId: string;
  /** The sale has closed: from then on the seats are shown to no fan. */
  readonly hasClosed: () => boolean;
}

/**
 * Event streams of seat changes. They follow the change feed and not the inventory, so a stream neither loads an
 * inventory nor depends on one staying loaded. A hold that expires is reported when the job `expire-holds` frees it.
 */
export function createSeatStreams({ sql, hub }: { readonly sql: Sql; readonly hub: StreamHub }) {
  const watchedDates = new Map<string, WatchedDate>();

  sql.subscribe(seatsChanged, ({ scheduleId, change }) => {
    const date = watchedDates.get(scheduleId);
    if (date) for (const seatId of change.seatIds) date.changes.set(seatId, change.status);
  });

  return {
    open(reply: StreamReply, scheduleId: string, { placeId, hasClosed }: SeatAccess): void {
      const stream = hub.open(reply, { key: keyOf(placeId) });
      const date = watchedDates.get(scheduleId) ?? { hasClosed, streams: new Set(), changes: new Map() };
      watchedDates.set(scheduleId, date);
      date.streams.add(stream);
      stream.onClose(() => {
        date.streams.delete(stream);
        if (date.streams.size === 0 && watchedDates.get(scheduleId) === date) watchedDates.delete(scheduleId);
      });
    },

    /** Only admitted fans may see the seats: call this when a place ends. */
    closeFor(placeId: string): void {
      hub.find(keyOf(placeId))?.close();
    },

    /** Sends the changes since the last flush: one frame per date, shared by all its streams. Ends those of closed sales. */
    flush(): Promise<void> {
      for (const [scheduleId, { hasClosed, streams, changes }] of watchedDates) {
        if (hasClosed()) {
          for (const stream of streams) stream.close();
          continue;
        }
        if (changes.size === 0) continue;
        const seats = [...changes].map(([id, status]) => ({ id, status }));
        changes.clear();
        const text = frame('seats', { scheduleId, seats });
        for (const stream of streams) stream.sendText(text);
      }
      return Promise.resolve();
    },
  };
}

export type SeatStreams = ReturnType<typeof createSeatStreams>;
