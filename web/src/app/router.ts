import { useSyncExternalStore } from 'react';

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

/** Matches `/concerts/:id`; undefined when the path is another one. */
export function match(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split('/');
  const found = path.replace(/(?<=.)\/$/, '').split('/');
  if (wanted.length !== found.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = found[index] ?? '';
    if (part.startsWith(':') && value !== '') params[part.slice(1)] = decodeSafely(value);
    else if (part !== value) return undefined;
  }
  return params;
}

function decodeSafely(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Addresses within these pages only: nobody is led elsewhere by a link to the sign-in. */
export function safeNext(next: string | null): string {
  return next !== null && /^\/(?![/\\])/.test(next) ? next : '/';
}

export const signInAddress = (next: string): string =>
  next === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`;
