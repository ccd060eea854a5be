import { useSyncExternalStore } from 'react';

export { match, safeNext, signInAddress } from './addresses.js';

/** Where the user is: path and query, as written in the address bar. */
interface Route {
  readonly address: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

const read = (): Route => ({
  address: location.pathname + location.search,
  path: location.pathname,
  query: new URLSearchParams(location.search),
});

let route = read();
let navigated = false;
const listeners = new Set<() => void>();

function arrive(): void {
  route = read();
  navigated = true;
  for (const listener of listeners) listener();
}

window.addEventListener('popstate', arrive);

/** Whether the page shown was reached by a link: then its heading takes the focus, as a new document would. */
export const hasNavigated = (): boolean => navigated;

export function navigate(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (to === route.address) return;
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  scrollTo(0, 0);
  arrive();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useRoute = (): Route => useSyncExternalStore(subscribe, () => route);
