import { setImmediate as nextLoopIteration } from 'node:timers/promises';

/**
 * Runs the work of one key one at a time, in the order of the calls. After a failure the next work starts one
 * event-loop iteration later: the caller that handles the failure runs first and may cancel what the next work would
 * do.
 */
export class KeyedMutex {
  readonly #lastByKey = new Map<string, Promise<unknown>>();

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const previous = this.#lastByKey.get(key);
    const current = previous ? previous.then(work, () => nextLoopIteration().then(work)) : work();
    this.#lastByKey.set(key, current);
    const removeIfLast = (): void => {
      if (this.#lastByKey.get(key) === current) this.#lastByKey.delete(key);
    };
    current.then(removeIfLast, removeIfLast);
    return current;
  }
}
