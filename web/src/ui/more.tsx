import { useText } from '../i18n/index.js';
import { Button } from './button.js';
import { Failure } from './failure.js';
import type { PagedList } from './use-paged-list.js';

/** The button that loads the next page of a list. */
export function More<T>({ list: { hasMore, loadMore } }: { readonly list: PagedList<T> }) {
  const { common } = useText();
  if (!hasMore) return null;
  return (
    <div className="stack">
      {loadMore.error !== undefined && <Failure error={loadMore.error} />}
      <Button tone="quiet" busy={loadMore.busy} onClick={() => loadMore.run()}>
        {common.loadMore}
      </Button>
    </div>
  );
}
