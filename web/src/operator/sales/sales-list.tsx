import { type ReactNode, useState } from 'react';
import { getOperatorConcertsByIdPaymentsLimits } from '../../api/generated/limits.js';
import { useFormat, useText } from '../../i18n/index.js';
import { Button, Failure, Field, Spinner, useAction } from '../../ui/index.js';
import { desk as server, type DeskConcertWithDates, type SalesListName } from '../desk.js';
import { useOperatorText } from '../texts/index.js';
import type { Pages } from '../use-pages.js';
import { usePages } from '../use-pages.js';
import { useSettled } from './use-settled.js';
import { saveFile } from './save-file.js';

interface Props<Item> {
  readonly concert: DeskConcertWithDates;
  readonly list: SalesListName;
  readonly load: (
    q: string,
    cursor: string | undefined,
  ) => Promise<{ items: Item[]; nextCursor: string | null }>;
  readonly none: string;
  readonly heads: readonly string[];
  readonly row: (item: Item, pages: Pages<Item>) => ReactNode;
}

const { q: SEARCH_LIMITS } = getOperatorConcertsByIdPaymentsLimits.query;

/** A list with its search, its pages and its download. */
export function SalesList<Item>({ concert, list, load, none, heads, row }: Props<Item>) {
  const { common } = useText();
  const { desk, sales } = useOperatorText();
  const format = useFormat();
  const [typed, setTyped] = useState('');
  const q = useSettled(typed.trim());
  const pages = usePages<Item>(`${list} ${concert.id} ${q}`, (cursor) => load(q, cursor));
  const download = useAction(async () => saveFile(await server.csv(list, concert.id, q), `${list}.csv`));
  const { items, nextCursor, busy, error } = pages;
  return (
    <section className="stack" aria-label={desk[list]}>
      <div className="op-list-tools">
        <Field
          label={desk.search}
          type="search"
          placeholder={sales.searchHint}
          maxLength={SEARCH_LIMITS.maxLength}
          value={typed}
          onChange={setTyped}
        />
        <Button tone="quiet" onClick={pages.reload} busy={busy}>
          {sales.refresh}
        </Button>
        <Button tone="quiet" onClick={download.run} busy={download.busy}>
          {q === '' ? sales.csv : sales.csvOfSearch}
        </Button>
      </div>
      {download.error !== undefined && <Failure error={download.error} onRetry={download.run} />}
      {error !== undefined && <Failure error={error} onRetry={pages.reload} />}
      {items === undefined && error === undefined && <Spinner onRetry={pages.reload} />}
      {items && (
        <p className="soft small" role="status">
          {items.length > 0 && sales.shown(format.number(items.length), nextCursor !== null)}
          {items.length === 0 && (q === '' ? none : sales.noneFound(q))}
        </p>
      )}
      {items && items.length > 0 && (
        <table className="op-table">
          <caption className="visually-hidden">{desk[list]}</caption>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{items.map((item) => row(item, pages))}</tbody>
        </table>
      )}
      {nextCursor !== null && (
        <Button tone="quiet" onClick={pages.more} busy={busy}>
          {common.loadMore}
        </Button>
      )}
    </section>
  );
}
