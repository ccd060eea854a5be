import type { Sql } from '../platform/sql/index.js';
import { frame, type Stream, type StreamHub, type StreamReply } from '../platform/sse/index.js';
import type { SeatInventories } from './inventory/seat-inventories.js';

export interface SeatStreams {
  open(reply: StreamReply, scheduleId: string, placeId: string): Promise<void>;
  /** Only admitted fans may see the seats: call this when a place ends. */
  closeFor(placeId: string): void;
  /** Sends the changes since the last flush: one frame per date, shared by all its streams. */
  flush(): Promise<void>;
}

const keyOf = (placeId: string): string => `seats:${placeId}`;

export function createSeatStreams(deps: {
  readonly sql: Sql;
  readonly hub: StreamHub;
  readonly inventories: SeatInventories;
}): SeatStreams {
  const { sql, hub, inventories } = deps;
  const streamsByDate = new Map<string, Set<Stream>>();

  async function flushDate(scheduleId: string, streams: ReadonlySet<Stream>): Promise<void> {
    const seats = (await inventories.of(scheduleId)).takeChanges(sql.nowMs());
    if (seats.length === 0) return;
    const text = frame('seats', { scheduleId, seats });
    for (const stream of streams) stream.sendText(text);
  }

  return {
    async open(reply, scheduleId, placeId) {
      // Discard changes from before the first stream: the list that its client reads includes them.
      if (!streamsByDate.has(scheduleId)) (await inventories.of(scheduleId)).takeChanges(sql.nowMs());
      const stream = hub.open(reply, { key: keyOf(placeId) });
      const streams = streamsByDate.get(scheduleId) ?? new Set();
      streamsByDate.set(scheduleId, streams.add(stream));
      stream.onClose(() => {
        streams.delete(stream);
        if (streams.size === 0 && streamsByDate.get(scheduleId) === streams) streamsByDate.delete(scheduleId);
      });
    },

    closeFor(placeId) {
      hub.find(keyOf(placeId))?.close();
    },

    async flush() {
      for (const [scheduleId, streams] of streamsByDate) await flushDate(scheduleId, streams);
    },
  };
}
