import { useSyncExternalStore } from 'react';

export interface Kept<T> {
  get(): T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/**
 * A value that outlives the tab and is the same in all of them. `parse` makes the best of whatever is found there: an older
 * version of the pages may have written it.
 */
export function keep<T>(key: string, parse: (found: unknown) => T): Kept<T> {
  let value = parse(parseJson(localStorage.getItem(key)));
  const listeners = new Set<() => void>();
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  window.addEventListener('storage', (event) => {
    // A null key: everything was cleared.
    if (event.key !== key && event.key !== null) return;
    value = parse(parseJson(localStorage.getItem(key)));
    tell();
  });
  return {
    get: () => value,
    set(next) {
      value = next;
      localStorage.setItem(key, JSON.stringify(next));
      tell();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const useKept = <T>(kept: Kept<T>): T => useSyncExternalStore(kept.subscribe, kept.get);

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
