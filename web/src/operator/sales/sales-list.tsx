import { type ReactNode, useState } from 'react';
import { getOperatorConcertsByIdPaymentsLimits } from '../../api/generated/limits.js';
import { useFormat } from '../../i18n/index.js';
import {
  Button,
  downloadFile,
  ErrorNotice,
  Field,
  Loading,
  LoadMoreButton,
  type PagedList,
  useAction,
  usePagedList,
} from '../../ui/index.js';
import { ColumnHeads } from '../column-heads.js';
import {
  operatorApi,
  type OperatorConcertDetails,
  type ListQuery,
  type SalesListName,
} from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';
import { useDebounced } from './use-debounced.js';

interface Props<Item> {
  readonly concert: OperatorConcertDetails;
  readonly name: SalesListName;
  readonly load: (
    query: ListQuery,
    signal?: AbortSignal,
  ) => Promise<{ items: Item[]; nextCursor: string | null }>;
  readonly none: string;
  readonly heads: readonly string[];
  readonly row: (item: Item, list: PagedList<Item>) => ReactNode;
}

const { q: SEARCH_LIMITS } = getOperatorConcertsByIdPaymentsLimits.query;

/** A paged list with search and CSV download. */
export function SalesList<Item>({ concert, name, load, none, heads, row }: Props<Item>) {
  const { general, sales } = useOperatorText();
  const format = useFormat();
  const [typed, setTyped] = useState('');
  const q = useDebounced(typed.trim());
  const list = usePagedList<Item>(`${name} ${concert.id} ${q}`, (page, signal) =>
    load({ ...page, q }, signal),
  );
  const download = useAction(async () =>
    downloadFile(await operatorApi.csv(name, concert.id, q), `${name}.csv`),
  );
  return (
    <section className="stack" aria-label={general[name]}>
      <div className="op-list-tools">
        <Field
          label={general.search}
          type="search"
          placeholder={sales.searchHint}
          maxLength={SEARCH_LIMITS.maxLength}
          value={typed}
          onChange={setTyped}
        />
        <Button tone="quiet" onClick={list.loaded.reload} busy={list.loaded.isLoading}>
          {sales.refresh}
        </Button>
        <Button tone="quiet" onClick={download.run} busy={download.busy}>
          {q === '' ? sales.csv : sales.csvOfSearch}
        </Button>
      </div>
      {download.error !== undefined && <ErrorNotice error={download.error} onRetry={download.run} />}
      <Loading of={list.loaded}>
        {({ items }) => (
          <>
            <p className="soft small" role="status">
              {items.length > 0 && sales.shown(format.number(items.length), list.hasMore)}
              {items.length === 0 &&
                (q === '' ? none : list.hasMore ? sales.noneFoundYet : sales.noneFound(q))}
            </p>
            {items.length > 0 && (
              <table className="op-table">
                <caption className="visually-hidden">{general[name]}</caption>
                <ColumnHeads names={heads} />
                <tbody>{items.map((item) => row(item, list))}</tbody>
              </table>
            )}
            <LoadMoreButton list={list} />
          </>
        )}
      </Loading>
    </section>
  );
}
