import { MINUTE_MS, type Sample } from './samples.js';

/** Long enough to even out a rush of payments, short enough to notice that it is over. */
const SALES_WINDOW_MS = 10 * MINUTE_MS;
const LINE_WINDOW_MS = 3 * MINUTE_MS;
/** Less than this says nothing about a rate. */
const SEEN_MIN_MS = 30_000;

export type SellOut =
  | { readonly kind: 'soldOut' | 'unknown' }
  | { readonly kind: 'at'; readonly atMs: number; readonly perMinute: number };

/** When the last seat goes, if sales go on as in the last minutes. */
export function sellOutOf(samples: readonly Sample[], seatsTotal: number, nowMs: number): SellOut {
  const last = samples.at(-1);
  if (!last) return { kind: 'unknown' };
  const left = seatsTotal - last.sold;
  if (left <= 0) return { kind: 'soldOut' };
  const first = samples.find(({ atMs }) => atMs >= nowMs - SALES_WINDOW_MS);
  const spanMs = first ? last.atMs - first.atMs : 0;
  const sold = first ? last.sold - first.sold : 0;
  if (spanMs < SEEN_MIN_MS || sold <= 0) return { kind: 'unknown' };
  return { kind: 'at', atMs: nowMs + (left / sold) * spanMs, perMinute: (sold / spanMs) * MINUTE_MS };
}

export type LineEnd =
  { readonly kind: 'none' | 'standing' | 'paused' } | { readonly kind: 'wait'; readonly waitMs: number };

/** How long somebody who joins now will wait, if people are let in as in the last minutes. */
export function lineEndOf(samples: readonly Sample[], isPaused: boolean, nowMs: number): LineEnd {
  if (isPaused) return { kind: 'paused' };
  const waiting = samples.at(-1)?.waiting ?? 0;
  if (waiting === 0) return { kind: 'none' };
  const recent = samples.filter(({ atMs }) => atMs >= nowMs - LINE_WINDOW_MS);
  const perMinute = recent.reduce((sum, { admitted }) => sum + admitted, 0) / Math.max(1, recent.length);
  return perMinute > 0 ? { kind: 'wait', waitMs: (waiting / perMinute) * MINUTE_MS } : { kind: 'standing' };
}
