import type { Sql } from '../platform/sql/index.js';
import { frame, type Stream, type StreamHub, type StreamReply } from '../platform/sse/index.js';
import type { SeatInventories } from './seat-inventories.js';

export interface SeatStreams {
  open(reply: StreamReply, scheduleId: string, placeId: string): Promise<void>;
  /** The seats are behind the gate: whoever's place has ended stops seeing them. */
  closeFor(placeId: string): void;
  /** Sends what changed since the last time, one frame a date however many seats and watchers. */
  flush(): Promise<void>;
}

const keyOf = (placeId: string): string => `seats:${placeId}`;

export function createSeatStreams(deps: {
  readonly sql: Sql;
  readonly hub: StreamHub;
  readonly inventories: SeatInventories;
}): SeatStreams {
  const { sql, hub, inventories } = deps;
  const watchers = new Map<string, Set<Stream>>();

  async function flushDate(scheduleId: string, streams: ReadonlySet<Stream>): Promise<void> {
    const seats = (await inventories.of(scheduleId)).takeChanges(sql.nowMs());
    if (seats.length === 0) return;
    const text = frame('seats', { scheduleId, seats });
    for (const stream of streams) stream.sendText(text);
  }

  return {
    async open(reply, scheduleId, placeId) {
      // The first watcher starts from now: what changed before belongs to the list it reads.
      if (!watchers.has(scheduleId)) (await inventories.of(scheduleId)).takeChanges(sql.nowMs());
      const stream = hub.open(reply, { key: keyOf(placeId) });
      const streams = watchers.get(scheduleId) ?? new Set();
      watchers.set(scheduleId, streams.add(stream));
      stream.onClose(() => {
        streams.delete(stream);
        if (streams.size === 0 && watchers.get(scheduleId) === streams) watchers.delete(scheduleId);
      });
    },

    closeFor(placeId) {
      hub.find(keyOf(placeId))?.close();
    },

    async flush() {
      for (const [scheduleId, streams] of watchers) await flushDate(scheduleId, streams);
    },
  };
}
