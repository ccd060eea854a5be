const BLOCK_BITS = 1024;
const WORD_BITS = 32;
const WORDS_PER_BLOCK = BLOCK_BITS / WORD_BITS;

function ones(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * The set of numbers that left the queue while waiting. `countThrough` is O(log n): one bit per number, with a Fenwick
 * tree over blocks of 1024. A million numbers take 130 KB.
 */
export class LeftNumbers {
  #words = new Uint32Array(0);
  /** Fenwick tree, 1-based: sums of block counts. */
  #sums = new Uint32Array(1);

  has(number: number): boolean {
    return (((this.#words[number >>> 5] ?? 0) >>> (number & 31)) & 1) === 1;
  }

  /** Adding a number twice counts once. */
  add(number: number): void {
    if (this.has(number)) return;
    if (number >>> 5 >= this.#words.length) this.#grow(number);
    const word = number >>> 5;
    this.#words[word] = (this.#words[word] ?? 0) | (1 << (number & 31));
    this.#addToSums(Math.floor(number / BLOCK_BITS) + 1, 1);
  }

  /** How many of the numbers 0 … `number` are in the set. */
  countThrough(number: number): number {
    const lastWord = Math.min(number >>> 5, this.#words.length - 1);
    if (lastWord < 0) return 0;
    const block = Math.floor((lastWord * WORD_BITS) / BLOCK_BITS);
    let count = 0;
    for (let node = block; node > 0; node &= node - 1) count += this.#sums[node] ?? 0;
    for (let word = block * WORDS_PER_BLOCK; word < lastWord; word += 1)
      count += ones(this.#words[word] ?? 0);
    const bits = number >>> 5 > lastWord ? 31 : number & 31;
    return count + ones((this.#words[lastWord] ?? 0) & (bits === 31 ? 0xffffffff : (1 << (bits + 1)) - 1));
  }

  #addToSums(node: number, by: number): void {
    for (let at = node; at < this.#sums.length; at += at & -at) this.#sums[at] = (this.#sums[at] ?? 0) + by;
  }

  #grow(number: number): void {
    let blocks = Math.max(1, this.#words.length / WORDS_PER_BLOCK);
    while (blocks * BLOCK_BITS <= number) blocks *= 2;
    const words = new Uint32Array(blocks * WORDS_PER_BLOCK);
    words.set(this.#words);
    this.#words = words;
    this.#sums = new Uint32Array(blocks + 1);
    for (let block = 0; block < blocks; block += 1) {
      let count = 0;
      for (let word = 0; word < WORDS_PER_BLOCK; word += 1)
        count += ones(words[block * WORDS_PER_BLOCK + word] ?? 0);
      if (count > 0) this.#addToSums(block + 1, count);
    }
  }
}
