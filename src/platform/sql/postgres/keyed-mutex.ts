import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * One after another, for those who come under the same name: each begins when the one before has ended. Where that one has
 * failed, whoever hears of it comes first: the next may not be wanted any more.
 */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name);
    const mine = before ? before.then(work, () => nextTurn().then(work)) : work();
    this.#last.set(name, mine);
    const forget = (): void => {
      if (this.#last.get(name) === mine) this.#last.delete(name);
    };
    mine.then(forget, forget);
    return mine;
  }
}
