/** How far the server's clock is ahead of this one. Countdowns use the server's time. */
let offsetMs = 0;
let isMeasured = false;

/** A Date header is truncated to seconds: on average the real time is half a second later. */
const DATE_TRUNCATION_MS = 500;
/** Smaller differences are truncation and network delay, not a different clock. */
const MEASUREMENT_ERROR_MS = 1500;

export function updateServerClock(response: Response, sentAtMs: number): void {
  const date = Date.parse(response.headers.get('date') ?? '');
  if (Number.isNaN(date)) return;
  const receivedAtMs = Date.now();
  const measuredMs = date + DATE_TRUNCATION_MS - (sentAtMs + receivedAtMs) / 2;
  if (isMeasured && Math.abs(measuredMs - offsetMs) < MEASUREMENT_ERROR_MS) return;
  offsetMs = Math.abs(measuredMs) < MEASUREMENT_ERROR_MS ? 0 : measuredMs;
  isMeasured = true;
}

export const serverNowMs = (): number => Date.now() + offsetMs;
