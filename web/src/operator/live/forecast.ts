import type { Policy } from '../operator-api.js';
import { MINUTE_MS, type Sample } from './samples.js';

/** Long enough to smooth a rush of payments, short enough to notice its end. */
const SALES_WINDOW_MS = 10 * MINUTE_MS;
const ADMISSION_WINDOW_MS = 3 * MINUTE_MS;
/** Shorter spans are too noisy for a rate. */
const SPAN_MIN_MS = 30_000;
const MINUTE_SECONDS = 60;

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

/** From this share of `maxActive` on, slots count as full: then people leaving decide, not the rate. */
const SLOTS_FULL_SHARE = 0.9;

type AdmissionRules = Pick<Policy, 'paused' | 'maxActive' | 'admitCount' | 'admitEverySeconds'>;

/** How long a fan who joins now will wait: at the rate of the policy, or at the recent one where slots limit it. */
export function forecastWait(
  samples: readonly Sample[],
  { paused, maxActive, admitCount, admitEverySeconds }: AdmissionRules,
  nowMs: number,
): WaitForecast {
  if (paused) return { kind: 'paused' };
  const { waiting = 0, active = 0 } = samples.at(-1) ?? {};
  if (waiting === 0) return { kind: 'none' };
  if (maxActive === 0) return { kind: 'stalled' };
  const recent = samples.filter(({ atMs }) => atMs >= nowMs - ADMISSION_WINDOW_MS);
  const measured = recent.reduce((sum, { admitted }) => sum + admitted, 0) / Math.max(1, recent.length);
  const isFull = maxActive !== null && active >= maxActive * SLOTS_FULL_SHARE;
  // In the first minute of admissions, fewer are counted than are let in per minute.
  const isMeasured = samples.some(({ atMs, admitted }) => admitted > 0 && atMs <= nowMs - MINUTE_MS);
  const byRate =
    admitCount === null || admitEverySeconds === null
      ? null
      : (admitCount * MINUTE_SECONDS) / admitEverySeconds;
  const perMinute = byRate === null || (isFull && isMeasured) ? measured : byRate;
  return perMinute > 0 ? { kind: 'wait', waitMs: (waiting / perMinute) * MINUTE_MS } : { kind: 'stalled' };
}
