import type { Sql } from '../platform/sql/index.js';
import { frame, type Stream, type StreamHub, type StreamReply } from '../platform/sse/index.js';
import type { SeatInventories } from './inventory/seat-inventories.js';

const keyOf = (placeId: string): string => `seats:${placeId}`;

export function createSeatStreams(deps: {
  readonly sql: Sql;
  readonly hub: StreamHub;
  readonly inventories: SeatInventories;
}) {
  const { sql, hub, inventories } = deps;
  const streamsByDate = new Map<string, Set<Stream>>();

  async function flushDate(scheduleId: string, streams: ReadonlySet<Stream>): Promise<void> {
    const seats = (await inventories.of(scheduleId)).takeChanges(sql.nowMs());
    if (seats.length === 0) return;
    const text = frame('seats', { scheduleId, seats });
    for (const stream of streams) stream.sendText(text);
  }

  return {
    async open(reply: StreamReply, scheduleId: string, placeId: string): Promise<void> {
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

    /** Only admitted fans may see the seats: call this when a place ends. */
    closeFor(placeId: string): void {
      hub.find(keyOf(placeId))?.close();
    },

    /** Sends the changes since the last flush: one frame per date, shared by all its streams. */
    async flush(): Promise<void> {
      for (const [scheduleId, streams] of streamsByDate) await flushDate(scheduleId, streams);
    },
  };
}

export type SeatStreams = ReturnType<typeof createSeatStreams>;
