import { SECOND_MS } from '../../kernel/time.js';
import type { Policy } from '../policy/policy.js';

/** The window in which the pace of admissions is measured. */
export const PACE_WINDOW_MS = 120 * SECOND_MS;
/** Less history than this gives no pace. */
const PACE_MIN_MS = 3 * SECOND_MS;
/** Only a pace that was measured for so long may contradict the rate of the policy. */
const PACE_TRUSTED_MS = 60 * SECOND_MS;
/** From this share on, slots count as full: a slot that was just freed is taken a moment later. */
const SLOTS_FULL_SHARE = 0.9;

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
  perSecond(nowMs: number, historyMinMs = PACE_MIN_MS): number | null {
    let admitted = 0;
    let sinceMs = nowMs;
    for (const [second, count] of this.#bySecond) {
      if (second * SECOND_MS < nowMs - PACE_WINDOW_MS) continue;
      admitted += count;
      sinceMs = Math.min(sinceMs, second * SECOND_MS);
    }
    const spanMs = nowMs - sinceMs;
    return admitted === 0 || spanMs < historyMinMs ? null : admitted / (spanMs / SECOND_MS);
  }
}

/** What decides how long a fan waits. */
export interface QueueSpeed {
  readonly policy: Pick<Policy, 'maxActive' | 'admitCount' | 'admitEverySeconds'>;
  /** Slots that no ACTIVE place takes; Infinity without `maxActive`. */
  readonly openSlots: number;
  /** The rate admits no fan before this time. */
  readonly nextByRateMs: number;
  readonly pace: Pick<Pace, 'perSecond'>;
}

/**
 * Seconds until a fan with so many people ahead is admitted. The rate of the policy is known from the first second. How
 * soon slots become free is not: it is measured. Null if every slot is taken and no waiting fan has got one yet.
 */
export function estimateWaitSeconds(ahead: number, speed: QueueSpeed, nowMs: number): number | null {
  const { policy, openSlots, pace } = speed;
  const byRate = secondsByRate(ahead, speed, nowMs);
  if (ahead < openSlots) return byRate ?? 0;
  if (openSlots <= 0 && pace.perSecond(nowMs, 0) === null) return null;
  const isFull = openSlots <= (1 - SLOTS_FULL_SHARE) * (policy.maxActive ?? Infinity);
  const perSecond = byRate === null ? pace.perSecond(nowMs) : pace.perSecond(nowMs, PACE_TRUSTED_MS);
  if (perSecond === null || (byRate !== null && !isFull)) return byRate;
  return Math.max(byRate ?? 0, Math.ceil((ahead + 1) / perSecond));
}

/** The next batch is admitted when the rate allows it, and each further one a period later. */
function secondsByRate(ahead: number, { policy, nextByRateMs }: QueueSpeed, nowMs: number): number | null {
  const { admitCount, admitEverySeconds } = policy;
  if (admitCount === null || admitEverySeconds === null) return null;
  const untilNext = Math.ceil(Math.max(0, nextByRateMs - nowMs) / SECOND_MS);
  return untilNext + Math.floor(ahead / admitCount) * admitEverySeconds;
}

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
