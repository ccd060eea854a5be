import { useText } from '../i18n/index.js';
import { Button } from './button.js';
import { ErrorNotice } from './error-notice.js';
import type { PagedList } from './use-paged-list.js';

/** The button that loads the next page of a list. */
export function LoadMoreButton<T>({ list: { hasMore, loadMore } }: { readonly list: PagedList<T> }) {
  const { common } = useText();
  if (!hasMore) return null;
  return (
    <div className="stack">
      {loadMore.error !== undefined && <ErrorNotice error={loadMore.error} />}
      <Button tone="quiet" busy={loadMore.busy} onClick={() => loadMore.run()}>
        {common.loadMore}
      </Button>
    </div>
  );
}
