/** Buckets checked per token taken: more than one, so that full buckets are removed faster than new ones are added. */
const SWEEP_STEPS = 4;

interface Entry {
  readonly id: string;
  fullAtMs: number;
  older: Entry | undefined;
  younger: Entry | undefined;
}

/**
 * Stores when each bucket will be full again, for a bounded number of buckets. They form a linked list in order of
 * their last token. A cursor goes round the list and removes full buckets, a few steps per call: checking 200,000 in
 * one call blocked the event loop for 13 ms and more.
 */
export class BucketMemory {
  readonly #bucketsMax: number;
  readonly #byId = new Map<string, Entry>();
  #oldest: Entry | undefined;
  #youngest: Entry | undefined;
  #cursor: Entry | undefined;

  constructor(bucketsMax: number) {
    this.#bucketsMax = bucketsMax;
  }

  get size(): number {
    return this.#byId.size;
  }

  fullAtMs(id: string): number | undefined {
    return this.#byId.get(id)?.fullAtMs;
  }

  /** Makes the bucket the youngest. If there is no space for it, the oldest one is removed. */
  put(id: string, fullAtMs: number, nowMs: number): void {
    this.#sweep(nowMs);
    const existing = this.#byId.get(id);
    if (existing) {
      existing.fullAtMs = fullAtMs;
      this.#unlink(existing);
      this.#append(existing);
      return;
    }
    if (this.#byId.size >= this.#bucketsMax && this.#oldest) this.#remove(this.#oldest);
    const entry: Entry = { id, fullAtMs, older: undefined, younger: undefined };
    this.#byId.set(id, entry);
    this.#append(entry);
  }

  #sweep(nowMs: number): void {
    for (let step = 0; step < SWEEP_STEPS; step++) {
      const entry = this.#cursor ?? this.#oldest;
      if (!entry) return;
      this.#cursor = entry.younger;
      if (entry.fullAtMs <= nowMs) this.#remove(entry);
    }
  }

  #remove(entry: Entry): void {
    this.#byId.delete(entry.id);
    this.#unlink(entry);
  }

  #unlink(entry: Entry): void {
    const { older, younger } = entry;
    if (older) older.younger = younger;
    else this.#oldest = younger;
    if (younger) younger.older = older;
    else this.#youngest = older;
    if (this.#cursor === entry) this.#cursor = younger;
  }

  #append(entry: Entry): void {
    entry.older = this.#youngest;
    entry.younger = undefined;
    if (this.#youngest) this.#youngest.younger = entry;
    else this.#oldest = entry;
    this.#youngest = entry;
  }
}
