import { Refusal } from '../kernel/refusal.js';
import { FairLane, type Waiter } from './fair-lane.js';

/** While sign-ups wait, so many sign-ins run before one sign-up does. */
const SIGN_INS_IN_A_ROW_MAX = 3;

export type Lane = 'sign-in' | 'sign-up';

export interface HashQueueLimits {
  readonly concurrentMax: number;
  /** In each lane. */
  readonly waitingMax: number;
  readonly waitMaxMs: number;
}

export interface QueuedClient {
  /** The networks of the client, from wide to narrow. */
  readonly networks: readonly string[];
  /** Aborted when the client disconnects: its request leaves the queue. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs the work of a client as soon as its turn has come; refuses with UNAVAILABLE if that takes too long. */
export type HashQueue = <T>(lane: Lane, client: QueuedClient, work: () => Promise<T>) => Promise<T>;

/**
 * Password hashing takes a lot of CPU and memory, so it is the first thing that an attacker exhausts. At most `concurrentMax`
 * hashes run. The others wait:
 *
 * - Sign-ins and sign-ups wait in a lane each. Sign-ins go first, but a sign-up runs after every third sign-in.
 * - In a lane, the widest networks take turns, in each of them the networks inside it, and so on. So a client with hundreds of
 *   requests, or with thousands of addresses in one IPv6 /48, delays a client elsewhere by one hash.
 * - A full lane drops a request of the network that has the most, so a flood only displaces itself. Between networks that
 *   have equally many, chance decides: a newcomer is not worse off than those who came first.
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

  const waitInLane = (lane: Lane, { networks, signal }: QueuedClient): Promise<void> =>
    new Promise((resolve, reject) => {
      const stopWaiting = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
      };
      const refuse = (): void => {
        stopWaiting();
        reject(new Refusal('UNAVAILABLE'));
      };
      const giveUp = (): void => {
        lanes[lane].remove(networks, waiter);
        refuse();
      };
      const start = (): void => {
        stopWaiting();
        resolve();
      };
      const waiter = { start, refuse };
      const timer = setTimeout(giveUp, waitMaxMs);
      signal?.addEventListener('abort', giveUp);
      lanes[lane].push(networks, waiter);
    });

  return async (lane, client, work) => {
    // No response can reach a client that has disconnected already.
    if (client.signal?.aborted === true) throw new Refusal('UNAVAILABLE');
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
