/** Upper bound of how fast two clocks drift apart. */
const DRIFT = 0.0005;
/** If two samples differ by this much more than their possible errors, the database clock was set. */
const JUMP_MS = 50;

interface Sample {
  readonly offsetMs: number;
  readonly roundTripMs: number;
  readonly takenAtMs: number;
}

/**
 * The database's time. Each read of the change feed is a sample of it; between samples it advances with the monotonic
 * clock of this process, so the wall clock of this machine has no effect. See docs/adr/0012-database-clock.md.
 *
 * It keeps the sample with the smallest possible error. The time it reports never goes backwards.
 */
export class StoreClock {
  #best: Sample | undefined;
  #lastMs = 0;

  /** `storeMs` was the database's time between sending and receiving, both measured by `performance.now()`. */
  learn(sentAtMs: number, receivedAtMs: number, storeMs: number): void {
    const sample = {
      offsetMs: storeMs - (sentAtMs + receivedAtMs) / 2,
      roundTripMs: receivedAtMs - sentAtMs,
      takenAtMs: receivedAtMs,
    };
    const best = this.#best;
    const isBetter = best === undefined || errorMs(sample, receivedAtMs) <= errorMs(best, receivedAtMs);
    if (isBetter || wasSet(sample, best, receivedAtMs)) this.#best = sample;
  }

  nowMs(): number {
    this.#lastMs = Math.max(this.#lastMs, Math.floor(performance.now() + (this.#best?.offsetMs ?? 0)));
    return this.#lastMs;
  }
}

/** The largest possible error by now: the whole round trip may have been spent in one direction. */
const errorMs = ({ roundTripMs, takenAtMs }: Sample, nowMs: number): number =>
  roundTripMs / 2 + (nowMs - takenAtMs) * DRIFT;

const wasSet = (sample: Sample, best: Sample, nowMs: number): boolean =>
  Math.abs(sample.offsetMs - best.offsetMs) > errorMs(sample, nowMs) + errorMs(best, nowMs) + JUMP_MS;
