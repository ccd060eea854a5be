import { MINUTE_MS, type Sample } from './samples.js';

/** Long enough to smooth a rush of payments, short enough to notice its end. */
const SALES_WINDOW_MS = 10 * MINUTE_MS;
const ADMISSION_WINDOW_MS = 3 * MINUTE_MS;
/** Shorter spans are too noisy for a rate. */
const SPAN_MIN_MS = 30_000;

export type SellOutForecast =
  | { readonly kind: 'soldOut' | 'unknown' }
  | { readonly kind: 'at'; readonly atMs: number; readonly perMinute: number };

/** When the last seat will be sold at the recent rate of sales. */
export function forecastSellOut(
  samples: readonly Sample[],
  seatsTotal: number,
  nowMs: number,
): SellOutForecast {
  const last = samples.at(-1);
  if (!last) return { kind: 'unknown' };
  const left = seatsTotal - last.sold;
  if (left <= 0) return { kind: 'soldOut' };
  const first = samples.find(({ atMs }) => atMs >= nowMs - SALES_WINDOW_MS);
  const spanMs = first ? last.atMs - first.atMs : 0;
  const sold = first ? last.sold - first.sold : 0;
  if (spanMs < SPAN_MIN_MS || sold <= 0) return { kind: 'unknown' };
  return { kind: 'at', atMs: nowMs + (left / sold) * spanMs, perMinute: (sold / spanMs) * MINUTE_MS };
}

export type WaitForecast =
  { readonly kind: 'none' | 'stalled' | 'paused' } | { readonly kind: 'wait'; readonly waitMs: number };

/** How long a fan who joins now will wait at the recent rate of admissions. */
export function forecastWait(
  samples: readonly Sample[],
  { paused, maxActive }: { readonly paused: boolean; readonly maxActive: number | null },
  nowMs: number,
): WaitForecast {
  if (paused) return { kind: 'paused' };
  const waiting = samples.at(-1)?.waiting ?? 0;
  if (waiting === 0) return { kind: 'none' };
  if (maxActive === 0) return { kind: 'stalled' };
  const recent = samples.filter(({ atMs }) => atMs >= nowMs - ADMISSION_WINDOW_MS);
  const perMinute = recent.reduce((sum, { admitted }) => sum + admitted, 0) / Math.max(1, recent.length);
  return perMinute > 0 ? { kind: 'wait', waitMs: (waiting / perMinute) * MINUTE_MS } : { kind: 'stalled' };
}
