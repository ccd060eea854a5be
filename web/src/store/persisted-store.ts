import { createStore, type Store } from './store.js';

function parseStored(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // An older version of the pages stored the language as plain text.
    return text;
  }
}

/**
 * A store kept in localStorage and shared by all tabs. `parse` must accept anything: an older version of the pages may have
 * written the stored value.
 */
export function createPersistedStore<T>(key: string, parse: (stored: unknown) => T): Store<T> {
  const read = (): T => parse(parseStored(localStorage.getItem(key)));
  const store = createStore(read());
  window.addEventListener('storage', (event) => {
    // The key is null when another tab cleared the whole storage.
    if (event.key === key || event.key === null) store.set(read());
  });
  return {
    ...store,
    set(value) {
      localStorage.setItem(key, JSON.stringify(value));
      store.set(value);
    },
  };
}
