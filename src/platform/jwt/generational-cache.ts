/**
 * A bounded cache of recently used values with two generations. When the new one is full it becomes the old one, and
 * the previous old one is dropped. It needs no order of use.
 */
export class GenerationalCache<Value> {
  readonly #generationMax: number;
  #newer = new Map<string, Value>();
  #older = new Map<string, Value>();

  constructor(generationMax: number) {
    this.#generationMax = generationMax;
  }

  get(key: string): Value | undefined {
    const newer = this.#newer.get(key);
    if (newer !== undefined) return newer;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: string, value: Value): void {
    if (this.#newer.size >= this.#generationMax) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(key, value);
  }
}
