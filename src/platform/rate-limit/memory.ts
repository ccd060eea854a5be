/** Looked at for each token taken: more than one, so that full buckets go faster than new ones come. */
const SWEEP_STEPS = 4;

interface Entry {
  readonly id: string;
  fullAtMs: number;
  older: Entry | undefined;
  younger: Entry | undefined;
}

/**
 * When each bucket will be full again: the one number that says everything about it. A bucket that is not here is full.
 * The buckets stand in a line by their last token taken. A hand goes round the line and forgets those that are full, a
 * few steps at a time: going through 200,000 at once took 13 ms and more, and everybody waited.
 */
export class BucketMemory {
  readonly #bucketsMax: number;
  readonly #byId = new Map<string, Entry>();
  #oldest: Entry | undefined;
  #youngest: Entry | undefined;
  #hand: Entry | undefined;

  constructor(bucketsMax: number) {
    this.#bucketsMax = bucketsMax;
  }

  get size(): number {
    return this.#byId.size;
  }

  fullAtMs(id: string): number | undefined {
    return this.#byId.get(id)?.fullAtMs;
  }

  /** A token was taken: the bucket becomes the youngest. When there is no room for it, the oldest is forgotten. */
  put(id: string, fullAtMs: number, nowMs: number): void {
    this.#sweep(nowMs);
    const known = this.#byId.get(id);
    if (known) {
      known.fullAtMs = fullAtMs;
      this.#unlink(known);
      this.#append(known);
      return;
    }
    if (this.#byId.size >= this.#bucketsMax && this.#oldest) this.#forget(this.#oldest);
    const entry: Entry = { id, fullAtMs, older: undefined, younger: undefined };
    this.#byId.set(id, entry);
    this.#append(entry);
  }

  #sweep(nowMs: number): void {
    for (let step = 0; step < SWEEP_STEPS; step++) {
      const entry = this.#hand ?? this.#oldest;
      if (!entry) return;
      this.#hand = entry.younger;
      if (entry.fullAtMs <= nowMs) this.#forget(entry);
    }
  }

  #forget(entry: Entry): void {
    this.#byId.delete(entry.id);
    this.#unlink(entry);
  }

  #unlink(entry: Entry): void {
    const { older, younger } = entry;
    if (older) older.younger = younger;
    else this.#oldest = younger;
    if (younger) younger.older = older;
    else this.#youngest = older;
    if (this.#hand === entry) this.#hand = younger;
  }

  #append(entry: Entry): void {
    entry.older = this.#youngest;
    entry.younger = undefined;
    if (this.#youngest) this.#youngest.younger = entry;
    else this.#oldest = entry;
    this.#youngest = entry;
  }
}
