import { withRetries } from '../api/index.js';
import { useAction } from './use-action.js';
import { type Loaded, useLoaded } from './use-loaded.js';

interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

export interface PagedList<T> {
  /** All pages loaded so far. */
  readonly loaded: Loaded<Page<T>>;
  readonly items: readonly T[];
  readonly hasMore: boolean;
  readonly loadMore: { readonly busy: boolean; readonly error: unknown; readonly run: () => void };
}

/** A list that the API returns page by page. A reload starts over with the first page. */
export function usePagedList<T>(
  key: string,
  load: (page: { readonly cursor?: string }, signal?: AbortSignal) => Promise<Page<T>>,
): PagedList<T> {
  const loaded = useLoaded(key, (signal) => load({}, signal));
  const cursor = loaded.value?.nextCursor ?? null;
  const loadMore = useAction(async () => {
    if (cursor === null) return;
    const next = await withRetries(() => load({ cursor }));
    // If a reload finished first, the list continues elsewhere and this page no longer fits.
    loaded.update((old) =>
      old.nextCursor === cursor ? { ...next, items: [...old.items, ...next.items] } : old,
    );
  });
  return { loaded, items: loaded.value?.items ?? [], hasMore: cursor !== null, loadMore };
}
