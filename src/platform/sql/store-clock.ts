import { SECOND_MS } from '../../kernel/time.js';

const SAMPLE_KEPT_MS = 10 * SECOND_MS;
/** More than this between two samples is a clock that was set, not a slow answer. */
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
    const isBetter =
      best === undefined ||
      sample.roundTripMs <= best.roundTripMs ||
      sample.takenAtMs - best.takenAtMs > SAMPLE_KEPT_MS ||
      Math.abs(sample.offsetMs - best.offsetMs) > sample.roundTripMs + JUMP_MS;
    if (isBetter) this.#best = sample;
  }

  /** Never earlier than it has said before. */
  nowMs(): number {
    this.#lastMs = Math.max(this.#lastMs, Math.floor(performance.now() + (this.#best?.offsetMs ?? 0)));
    return this.#lastMs;
  }
}
