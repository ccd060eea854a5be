import { SECOND_MS } from '../../kernel/time.js';

/** The window in which the admission rate is measured. */
export const PACE_WINDOW_MS = 120 * SECOND_MS;
/** Less history than this gives no estimate. */
const PACE_MIN_MS = 3 * SECOND_MS;

const POLL_MIN_MS = 1000;
const POLL_MAX_MS = 15_000;
const POLL_JITTER = 0.2;

/** Recent admissions of fans who had to wait, counted per second. */
export class Pace {
  readonly #bySecond = new Map<number, number>();

  admitted(atMs: number, count: number): void {
    const second = Math.floor(atMs / SECOND_MS);
    this.#bySecond.set(second, (this.#bySecond.get(second) ?? 0) + count);
    for (const old of this.#bySecond.keys()) {
      if (old * SECOND_MS >= atMs - PACE_WINDOW_MS) break;
      this.#bySecond.delete(old);
    }
  }

  /** Admissions per second; null without enough history. */
  perSecond(nowMs: number): number | null {
    let admitted = 0;
    let sinceMs = nowMs;
    for (const [second, count] of this.#bySecond) {
      if (second * SECOND_MS < nowMs - PACE_WINDOW_MS) continue;
      admitted += count;
      sinceMs = Math.min(sinceMs, second * SECOND_MS);
    }
    const spanMs = nowMs - sinceMs;
    return admitted === 0 || spanMs < PACE_MIN_MS ? null : admitted / (spanMs / SECOND_MS);
  }
}

export const estimateWaitSeconds = (rank: number, perSecond: number | null): number | null =>
  perSecond === null ? null : Math.ceil(rank / perSecond);

/** The longer the wait, the less often a client polls. Jitter spreads clients that joined in the same second. */
export function pollAfterMs(
  rank: number,
  waitSeconds: number | null,
  limits: PollLimits,
  random: number,
): number {
  const calmMs = waitSeconds === null ? 500 * Math.sqrt(rank) + 500 : (waitSeconds * SECOND_MS) / 10;
  return jittered(withinLimits(Math.min(POLL_MAX_MS, Math.max(POLL_MIN_MS, calmMs)), limits), random);
}

/** The policy's limits on how long a fan may make no request. */
export interface PollLimits {
  readonly idleSeconds: number | null;
  readonly showUpSeconds: number | null;
}

/** A client that polls on time never expires as idle or as a no-show, even if it is admitted right after a poll. */
export function withinLimits(ms: number, { idleSeconds, showUpSeconds }: PollLimits): number {
  const shortest = Math.min(idleSeconds ?? Infinity, showUpSeconds ?? Infinity);
  return Math.min(ms, (shortest * SECOND_MS) / 3);
}

export const jittered = (ms: number, random: number): number =>
  Math.round(ms * (1 - POLL_JITTER + 2 * POLL_JITTER * random));
