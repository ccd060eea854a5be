import { HEARTBEAT_FRAME } from './frame.js';
import type { HubStream } from './stream.js';

/** Spreads the writes over the interval: ten thousand at a time would block the event loop. */
const SLICES = 50;
const SLICE_MIN_MS = 10;

/** Sends every stream one heartbeat per `heartbeatMs`, a few streams at a time, with one timer. */
export function startHeartbeat(
  streams: { readonly size: number; values(): Iterator<HubStream> },
  heartbeatMs: number,
): { stop(): void } {
  const sliceMs = Math.max(SLICE_MIN_MS, heartbeatMs / SLICES);
  let cursor = streams.values();
  let due = 0;

  const timer = setInterval(() => {
    due += (streams.size * sliceMs) / heartbeatMs;
    while (due >= 1 && streams.size > 0) {
      const next = cursor.next();
      if (next.done === true) {
        cursor = streams.values();
      } else {
        next.value.sendText(HEARTBEAT_FRAME);
        due -= 1;
      }
    }
  }, sliceMs);
  timer.unref();

  return {
    stop() {
      clearInterval(timer);
    },
  };
}
