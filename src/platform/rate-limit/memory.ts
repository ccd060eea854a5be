/** Buckets checked per change: more than one, so that outdated buckets are removed faster than new ones are added. */
const SWEEP_STEPS = 4;

interface Entry {
  readonly id: string;
  timeMs: number;
  older: Entry | undefined;
  younger: Entry | undefined;
}

/**
 * Stores one time per bucket, for a bounded number of buckets: when it will be full again, or when an empty one has a
 * token again. They form a linked list in order of their last change. A cursor goes round the list and removes buckets whose
 * time has passed, a few steps per call: checking 200,000 in
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

  timeOf(id: string): number | undefined {
    return this.#byId.get(id)?.timeMs;
  }

  /** Makes the bucket the youngest. If there is no space for it, the oldest one is removed. */
  put(id: string, timeMs: number, nowMs: number): void {
    this.#sweep(nowMs);
    const existing = this.#byId.get(id);
    if (existing) {
      existing.timeMs = timeMs;
      this.#unlink(existing);
      this.#append(existing);
      return;
    }
    if (this.#byId.size >= this.#bucketsMax && this.#oldest) this.#remove(this.#oldest);
    const entry: Entry = { id, timeMs, older: undefined, younger: undefined };
    this.#byId.set(id, entry);
    this.#append(entry);
  }

  #sweep(nowMs: number): void {
    for (let step = 0; step < SWEEP_STEPS; step++) {
      const entry = this.#cursor ?? this.#oldest;
      if (!entry) return;
      this.#cursor = entry.younger;
      if (entry.timeMs <= nowMs) this.#remove(entry);
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
