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
import { useRoute } from '../../app/router.js';
import { ColumnHeads } from '../column-heads.js';
import { Select } from '../form/fields.js';
import {
  operatorApi,
  type OperatorConcertDetails,
  type ListQuery,
  type SalesFilter,
  type SalesListName,
} from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';
import { useDebounced } from './use-debounced.js';

interface Props<Item, Status extends string> {
  readonly concert: OperatorConcertDetails;
  readonly name: SalesListName;
  readonly statuses: Readonly<Record<Status, string>>;
  readonly load: (
    filter: SalesFilter<Status>,
    page: ListQuery,
    signal?: AbortSignal,
  ) => Promise<{ items: Item[]; nextCursor: string | null }>;
  readonly none: string;
  readonly heads: readonly string[];
  readonly row: (item: Item, list: PagedList<Item>) => ReactNode;
}

const { q: SEARCH_LIMITS } = getOperatorConcertsByIdPaymentsLimits.query;

/** A paged list with search, filters and CSV download. */
export function SalesList<Item, Status extends string>({
  concert,
  name,
  statuses,
  load,
  none,
  heads,
  row,
}: Props<Item, Status>) {
  const { general, sales } = useOperatorText();
  const format = useFormat();
  const { query } = useRoute();
  const [typed, setTyped] = useState(query.get('q') ?? '');
  const [status, setStatus] = useState<Status | ''>('');
  const [scheduleId, setScheduleId] = useState('');
  const q = useDebounced(typed.trim());
  const filter: SalesFilter<Status> = { q, status, scheduleId };
  const isFiltered = q !== '' || status !== '' || scheduleId !== '';
  const list = usePagedList<Item>(`${name} ${concert.id} ${JSON.stringify(filter)}`, (page, signal) =>
    load(filter, page, signal),
  );
  const download = useAction(async () =>
    downloadFile(await operatorApi.csv(name, concert.id, filter), `${name}.csv`),
  );
  function noneText(hasMore: boolean): string {
    if (!isFiltered) return none;
    if (hasMore) return sales.noneFoundYet;
    return q === '' ? sales.noneFiltered : sales.noneFound(q);
  }
  const statusOptions = Object.entries(statuses) as [Status, string][];
  const dates = concert.schedules.map(({ id, startsAt }) => [id, format.date(startsAt)] as const);
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
        <Select
          label={sales.status}
          value={status}
          options={[['', sales.anyStatus], ...statusOptions]}
          onChange={setStatus}
        />
        {dates.length > 1 && (
          <Select
            label={sales.date}
            value={scheduleId}
            options={[['', sales.anyDate], ...dates]}
            onChange={setScheduleId}
          />
        )}
        <Button tone="quiet" onClick={list.loaded.reload} busy={list.loaded.isLoading}>
          {sales.refresh}
        </Button>
        <Button tone="quiet" onClick={download.run} busy={download.busy}>
          {isFiltered ? sales.csvOfSearch : sales.csv}
        </Button>
      </div>
      {download.error !== undefined && <ErrorNotice error={download.error} onRetry={download.run} />}
      <Loading of={list.loaded}>
        {({ items }) => (
          <>
            <p className="soft small" role="status">
              {items.length > 0 && sales.shown(format.number(items.length), list.hasMore)}
              {items.length === 0 && noneText(list.hasMore)}
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
