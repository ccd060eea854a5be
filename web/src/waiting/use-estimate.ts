import type { QueueToken } from '../api/index.js';
import { useFormat, useText } from '../i18n/index.js';
import { useServerNow } from '../ui/index.js';

const MINUTE_SECONDS = 60;
/** Shorter estimates are rounded to half minutes, longer ones to minutes: none is accurate to the second. */
const LONG_SECONDS = 600;

const TICK_MS = 5000;

/** The estimated wait in words. Streams are silent between two batches, so it counts down since the last update. */
export function useEstimate({ estimatedWaitSeconds, paused }: QueueToken, updatedAtMs?: number): string {
  const { waiting: text } = useText();
  const format = useFormat();
  const nowMs = useServerNow(TICK_MS);
  if (paused) return text.estimatePaused;
  if (estimatedWaitSeconds === null) return text.estimateUnknown;
  const seconds = estimatedWaitSeconds - Math.max(0, nowMs - (updatedAtMs ?? nowMs)) / 1000;
  if (seconds < MINUTE_SECONDS) return text.estimateSoon;
  const step = seconds < LONG_SECONDS ? MINUTE_SECONDS / 2 : MINUTE_SECONDS;
  return text.about(format.duration(Math.round(seconds / step) * step * 1000));
}
