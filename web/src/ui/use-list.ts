import { useState } from 'react';
import { useAction } from './use-action.js';
import { type Loaded, useLoaded } from './use-loaded.js';

interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

export interface List<T> {
  readonly first: Loaded<Page<T>>;
  readonly items: readonly T[];
  readonly hasMore: boolean;
  readonly more: { readonly busy: boolean; readonly error: unknown; readonly run: () => void };
}

/** A list of the API, page by page; loading the first page again lets go of the later ones. */
export function useList<T>(
  key: string,
  load: (cursor: string | undefined, signal?: AbortSignal) => Promise<Page<T>>,
): List<T> {
  const first = useLoaded(key, (signal) => load(undefined, signal));
  const [later, setLater] = useState<{ of: Page<T> | undefined; page: Page<T> } | undefined>();
  const current = later?.of === first.value ? later?.page : undefined;
  const cursor = (current ?? first.value)?.nextCursor ?? undefined;
  const more = useAction(async () => {
    const page = await load(cursor);
    setLater({ of: first.value, page: { ...page, items: [...(current?.items ?? []), ...page.items] } });
  });
  return {
    first,
    items: [...(first.value?.items ?? []), ...(current?.items ?? [])],
    hasMore: cursor !== undefined,
    more,
  };
}
