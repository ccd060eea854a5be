/** No clock gains or loses more than this against another: what is known of the time grows old so fast, and no faster. */
const DRIFT = 0.0005;
/** What two samples cannot explain by more than this is a clock that was set, not a slow answer. */
const JUMP_MS = 50;

interface Sample {
  readonly offsetMs: number;
  readonly roundTripMs: number;
  readonly takenAtMs: number;
}

/**
 * The database's time, known to the process by asking now and then. In between it goes by a clock that nobody can set, so
 * that what this machine believes the time of day to be changes nothing.
 */
export class StoreClock {
  #best: Sample | undefined;
  #lastMs = 0;

  /** `storeMs` was the database's time somewhere between sending and receiving, both by `performance.now()`. */
  learn(sentAtMs: number, receivedAtMs: number, storeMs: number): void {
    const sample = {
      offsetMs: storeMs - (sentAtMs + receivedAtMs) / 2,
      roundTripMs: receivedAtMs - sentAtMs,
      takenAtMs: receivedAtMs,
    };
    const best = this.#best;
    const isBetter = best === undefined || inexactMs(sample, receivedAtMs) <= inexactMs(best, receivedAtMs);
    if (isBetter || wasSet(sample, best, receivedAtMs)) this.#best = sample;
  }

  /** Never earlier than it has said before. */
  nowMs(): number {
    this.#lastMs = Math.max(this.#lastMs, Math.floor(performance.now() + (this.#best?.offsetMs ?? 0)));
    return this.#lastMs;
  }
}

/** How far off it may be by now: a slow answer may have spent all its time on one of its two ways. */
const inexactMs = ({ roundTripMs, takenAtMs }: Sample, nowMs: number): number =>
  roundTripMs / 2 + (nowMs - takenAtMs) * DRIFT;

const wasSet = (sample: Sample, best: Sample, nowMs: number): boolean =>
  Math.abs(sample.offsetMs - best.offsetMs) > inexactMs(sample, nowMs) + inexactMs(best, nowMs) + JUMP_MS;
