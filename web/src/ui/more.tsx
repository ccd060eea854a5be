import { useText } from '../i18n/index.js';
import { Button } from './button.js';
import { Failure } from './failure.js';
import type { List } from './use-list.js';

/** The rest of a list, on demand. */
export function More<T>({ list }: { readonly list: List<T> }) {
  const { common } = useText();
  if (!list.hasMore) return null;
  return (
    <div className="stack">
      {list.more.error !== undefined && <Failure error={list.more.error} />}
      <Button tone="quiet" busy={list.more.busy} onClick={() => list.more.run()}>
        {common.loadMore}
      </Button>
    </div>
  );
}
