import { Refusal } from '../../kernel/refusal.js';
import { SECOND_MS } from '../../kernel/time.js';

/** A page sends one write at a time, and a script that books for one fan sends a few. */
const WAITING_MAX = 100;
/** Roughly how long a full queue takes. */
const RETRY_AFTER_MS = 2 * SECOND_MS;

export type UserQueue = <T>(userId: string, work: () => Promise<T>) => Promise<T>;

/**
 * Runs the work of one user one at a time, in order of arrival, so that one user never occupies more than one database
 * connection of this process. When `waitingMax` are waiting, more are refused with TOO_MANY_REQUESTS.
 */
export function createUserQueue(waitingMax = WAITING_MAX): UserQueue {
  /** A user is in the map while work of theirs runs; the array holds what waits. */
  const waitingByUser = new Map<string, (() => void)[]>();

  const startNext = (userId: string): void => {
    const next = waitingByUser.get(userId)?.shift();
    if (next) next();
    else waitingByUser.delete(userId);
  };

  return async (userId, work) => {
    const waiting = waitingByUser.get(userId);
    if (!waiting) waitingByUser.set(userId, []);
    else if (waiting.length < waitingMax) await new Promise<void>((resolve) => waiting.push(resolve));
    else throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: RETRY_AFTER_MS / SECOND_MS });
    try {
      return await work();
    } finally {
      startNext(userId);
    }
  };
}
