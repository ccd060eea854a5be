import { assertDefined } from '../kernel/assert.js';
import { Refusal } from '../kernel/refusal.js';

/** While sign-ups wait, so many sign-ins run before one sign-up does. */
const SIGN_INS_IN_A_ROW_MAX = 3;

export type Lane = 'sign-in' | 'sign-up';

export interface HashQueueLimits {
  readonly concurrentMax: number;
  /** In each lane. */
  readonly waitingMax: number;
  readonly waitMaxMs: number;
}

/** Runs the work of a client as soon as its turn has come; refuses with UNAVAILABLE if that takes too long. */
export type HashQueue = <T>(lane: Lane, client: string, work: () => Promise<T>) => Promise<T>;

interface Waiter {
  start(): void;
  refuse(): void;
}

/**
 * Password hashing takes a lot of CPU and memory, so it is the first thing that an attacker exhausts. At most `concurrentMax`
 * hashes run. The others wait:
 *
 * - Sign-ins and sign-ups wait in a lane each. Sign-ins go first, but a sign-up runs after every third sign-in.
 * - In a lane, clients take turns: a client with hundreds of requests delays another client by one hash.
 * - A full lane drops the newest request of the client that has the most, so a flood only displaces itself.
 */
export function createHashQueue({ concurrentMax, waitingMax, waitMaxMs }: HashQueueLimits): HashQueue {
  const lanes = { 'sign-in': new FairLane(waitingMax), 'sign-up': new FairLane(waitingMax) };
  let running = 0;
  let signInsInARow = 0;

  function next(): Waiter | undefined {
    const isSignUpDue = signInsInARow >= SIGN_INS_IN_A_ROW_MAX && lanes['sign-up'].size > 0;
    const signIn = isSignUpDue ? undefined : lanes['sign-in'].shift();
    signInsInARow = signIn ? signInsInARow + 1 : 0;
    return signIn ?? lanes['sign-up'].shift();
  }

  const waitInLane = (lane: Lane, client: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const refuse = (): void => {
        clearTimeout(timer);
        reject(new Refusal('UNAVAILABLE'));
      };
      const timer = setTimeout(() => {
        lanes[lane].remove(client, waiter);
        refuse();
      }, waitMaxMs);
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const waiter = { start, refuse };
      lanes[lane].push(client, waiter);
    });

  return async (lane, client, work) => {
    if (running < concurrentMax) running += 1;
    else await waitInLane(lane, client);
    try {
      return await work();
    } finally {
      const waiter = next();
      // Passes the permit on without decrementing, so that a new request cannot overtake the waiting one.
      if (waiter) waiter.start();
      else running -= 1;
    }
  };
}

/** The waiting requests of each client. Clients are in the order of their turns. */
class FairLane {
  readonly #waitingMax: number;
  readonly #byClient = new Map<string, Waiter[]>();
  #size = 0;

  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  get size(): number {
    return this.#size;
  }

  /** Takes the oldest request of the client whose turn it is, and moves the client to the end. */
  shift(): Waiter | undefined {
    const [first] = this.#byClient;
    if (!first) return undefined;
    const [client, waiting] = first;
    const waiter = waiting.shift();
    this.#byClient.delete(client);
    if (waiting.length > 0) this.#byClient.set(client, waiting);
    this.#size -= 1;
    return waiter;
  }

  push(client: string, waiter: Waiter): void {
    const waiting = this.#byClient.get(client) ?? [];
    waiting.push(waiter);
    this.#byClient.set(client, waiting);
    this.#size += 1;
    if (this.#size > this.#waitingMax) this.#dropNewestOfLongest();
  }

  remove(client: string, waiter: Waiter): void {
    const waiting = this.#byClient.get(client) ?? [];
    const index = waiting.indexOf(waiter);
    if (index === -1) return;
    waiting.splice(index, 1);
    if (waiting.length === 0) this.#byClient.delete(client);
    this.#size -= 1;
  }

  #dropNewestOfLongest(): void {
    let longest: [string, Waiter[]] | undefined;
    for (const entry of this.#byClient) if (!longest || entry[1].length >= longest[1].length) longest = entry;
    const [client, waiting] = assertDefined(longest, 'a full lane has a client');
    const newest = assertDefined(waiting.at(-1), 'a client in a lane waits for something');
    this.remove(client, newest);
    newest.refuse();
  }
}
