import { assertDefined } from '../kernel/assert.js';

export interface Waiter {
  start(): void;
  refuse(): void;
}

/** At most `waitingMax` waiting requests, of which networks take turns. See hash-queue.ts. */
export class FairLane {
  readonly #waitingMax: number;
  readonly #clients = new Network();

  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  get size(): number {
    return this.#clients.size;
  }

  shift(): Waiter | undefined {
    return this.#clients.shift();
  }

  push(networks: readonly string[], waiter: Waiter): void {
    this.#clients.push(networks, waiter);
    if (this.size > this.#waitingMax)
      assertDefined(this.#clients.pop(), 'a full lane has a request').refuse();
  }

  remove(networks: readonly string[], waiter: Waiter): void {
    this.#clients.remove(networks, waiter);
  }
}

/** The waiting requests of one network: those of the networks inside it, in the order of their turns, or of one client. */
class Network {
  readonly #inside = new Map<string, Network>();
  readonly #waiting: Waiter[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push([key, ...narrower]: readonly string[], waiter: Waiter): void {
    this.#size += 1;
    if (key === undefined) {
      this.#waiting.push(waiter);
      return;
    }
    const network = this.#inside.get(key) ?? new Network();
    this.#inside.set(key, network);
    network.push(narrower, waiter);
  }

  /** Takes the oldest request of the network whose turn it is, and moves the network to the end. */
  shift(): Waiter | undefined {
    const [first] = this.#inside;
    const waiter = first ? first[1].shift() : this.#waiting.shift();
    if (waiter) this.#size -= 1;
    if (first) {
      const [key, network] = first;
      this.#inside.delete(key);
      if (network.size > 0) this.#inside.set(key, network);
    }
    return waiter;
  }

  /** Returns whether the waiter was here. */
  remove([key, ...narrower]: readonly string[], waiter: Waiter): boolean {
    const isRemoved = key === undefined ? this.#removeOwn(waiter) : this.#removeInside(key, narrower, waiter);
    if (isRemoved) this.#size -= 1;
    return isRemoved;
  }

  /** Takes the newest request of the client that has the most, in the network that has the most. */
  pop(): Waiter | undefined {
    const longest = this.#longest();
    const waiter = longest ? longest[1].pop() : this.#waiting.pop();
    if (waiter) this.#size -= 1;
    if (longest?.[1].size === 0) this.#inside.delete(longest[0]);
    return waiter;
  }

  #removeOwn(waiter: Waiter): boolean {
    const index = this.#waiting.indexOf(waiter);
    if (index !== -1) this.#waiting.splice(index, 1);
    return index !== -1;
  }

  #removeInside(key: string, narrower: readonly string[], waiter: Waiter): boolean {
    const network = this.#inside.get(key);
    if (network?.remove(narrower, waiter) !== true) return false;
    if (network.size === 0) this.#inside.delete(key);
    return true;
  }

  #longest(): [string, Network] | undefined {
    let max = 0;
    let longest: [string, Network][] = [];
    for (const entry of this.#inside) {
      const { size } = entry[1];
      if (size > max) longest = [];
      max = Math.max(max, size);
      if (size === max) longest.push(entry);
    }
    return longest[Math.floor(Math.random() * longest.length)];
  }
}
