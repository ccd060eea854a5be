import type { QueueToken } from '../api/index.js';
import { useFormat, useText } from '../i18n/index.js';

const MINUTE_SECONDS = 60;
/** Shorter estimates are rounded to half minutes, longer ones to minutes: none is accurate to the second. */
const LONG_SECONDS = 600;

/** The estimated wait in words. */
export function useEstimate({ estimatedWaitSeconds: seconds, paused }: QueueToken): string {
  const { waiting: text } = useText();
  const format = useFormat();
  if (paused) return text.estimatePaused;
  if (seconds === null) return text.estimateUnknown;
  if (seconds < MINUTE_SECONDS) return text.estimateSoon;
  const step = seconds < LONG_SECONDS ? MINUTE_SECONDS / 2 : MINUTE_SECONDS;
  return text.about(format.duration(Math.round(seconds / step) * step * 1000));
}
