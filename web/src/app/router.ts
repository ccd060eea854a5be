import { createStore, useStore } from '../store/index.js';

export { matchPath, safeRedirect, signInPath } from './paths.js';

/** The current address, as in the address bar. */
interface Route {
  readonly address: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

const readRoute = (): Route => ({
  address: location.pathname + location.search,
  path: location.pathname,
  query: new URLSearchParams(location.search),
});

const route = createStore(readRoute());
let navigated = false;

function updateRoute(): void {
  navigated = true;
  route.set(readRoute());
}

window.addEventListener('popstate', updateRoute);

/** Whether there was a navigation since the document was loaded. */
export const hasNavigated = (): boolean => navigated;

export function navigate(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (to === route.get().address) return;
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  scrollTo(0, 0);
  updateRoute();
}

export const useRoute = (): Route => useStore(route);
