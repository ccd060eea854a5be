import { HEARTBEAT_FRAME } from './frame.js';
import type { HubStream } from './stream.js';

/** Ten thousand writes in one go would stall everybody else: they are spread over the interval. */
const SLICES = 50;
const SLICE_MIN_MS = 10;

/** Sends every stream a heartbeat once in `heartbeatMs`, a few streams at a time, by one timer. */
export function startHeartbeat(
  streams: { readonly size: number; values(): Iterator<HubStream> },
  heartbeatMs: number,
): { stop(): void } {
  const sliceMs = Math.max(SLICE_MIN_MS, heartbeatMs / SLICES);
  let round = streams.values();
  let due = 0;

  const timer = setInterval(() => {
    due += (streams.size * sliceMs) / heartbeatMs;
    while (due >= 1 && streams.size > 0) {
      const next = round.next();
      if (next.done === true) {
        round = streams.values();
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
