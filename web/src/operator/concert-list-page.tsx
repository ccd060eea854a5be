import { useDeferredValue, useState } from 'react';
import { Link } from '../app/link.js';
import { PageTitle } from '../app/page-title.js';
import { useFormat } from '../i18n/index.js';
import { Loading, useLoaded, useServerNow, useVisibleInterval } from '../ui/index.js';
import { type ConcertFilter, matchesFilter, NO_FILTER } from './concert-filter.js';
import { ConcertFilters } from './concert-filters.js';
import { operatorApi, type OperatorConcert } from './operator-api.js';
import { SaleTag, NextSaleTime } from './sale-tag.js';
import { useOperatorText } from './texts/index.js';

const MINUTE_MS = 60_000;
/** Revenue and waiting fans change while a sale runs. */
const REFRESH_MS = 30_000;

function SoldProgress({ sold, total }: { readonly sold: number; readonly total: number }) {
  const { general } = useOperatorText();
  const format = useFormat();
  const label = general.sold(format.number(sold), format.number(total));
  return (
    <div className="op-sold">
      <span>{label}</span>
      <progress max={Math.max(1, total)} value={sold} aria-label={label} />
    </div>
  );
}

/** When the concert takes place. */
function Dates({ concert }: { readonly concert: OperatorConcert }) {
  const { general } = useOperatorText();
  const format = useFormat(concert.timeZone);
  const { dates, firstStartsAt, lastStartsAt } = concert;
  if (dates === 1) return format.date(firstStartsAt);
  return general.dates(format.number(dates), format.date(firstStartsAt), format.date(lastStartsAt));
}

function ConcertRow({ concert }: { readonly concert: OperatorConcert }) {
  const { general } = useOperatorText();
  const format = useFormat();
  const nowMs = useServerNow(MINUTE_MS);
  return (
    <li className="card op-concert">
      <div>
        <h2>
          <Link href={`/operator/concerts/${concert.id}`}>{concert.title}</Link>
        </h2>
        <p className="soft">{concert.venue}</p>
        <p className="soft small">
          <Dates concert={concert} />
        </p>
      </div>
      <div className="op-concert-state">
        <SaleTag concert={concert} nowMs={nowMs} />
        <span className="soft small">
          <NextSaleTime concert={concert} nowMs={nowMs} />
        </span>
      </div>
      <div>
        <SoldProgress sold={concert.seatsSold} total={concert.seatsTotal} />
        <p className="op-concert-figures small">
          <span>{general.revenue(format.money(concert.revenue, concert.currency))}</span>
          <span>{general.waiting(format.number(concert.waiting))}</span>
        </p>
      </div>
    </li>
  );
}

function ConcertRows({
  concerts,
  filter,
}: {
  readonly concerts: readonly OperatorConcert[];
  readonly filter: ConcertFilter;
}) {
  const { general } = useOperatorText();
  const nowMs = useServerNow(MINUTE_MS);
  const found = concerts.filter((concert) => matchesFilter(concert, filter, nowMs));
  const search = filter.search.trim();
  if (concerts.length === 0) return <p className="card">{general.none}</p>;
  return (
    <>
      <p className="soft small" role="status">
        {found.length > 0
          ? general.found(found.length)
          : search === ''
            ? general.noneFiltered
            : general.noneFound(search)}
      </p>
      <ul className="op-concerts">
        {found.map((concert) => (
          <ConcertRow key={concert.id} concert={concert} />
        ))}
      </ul>
    </>
  );
}

export function ConcertListPage() {
  const { audit, general, mailbox, team } = useOperatorText();
  const [filter, setFilter] = useState(NO_FILTER);
  const deferredFilter = useDeferredValue(filter);
  const concerts = useLoaded('operator concerts', operatorApi.concerts);
  useVisibleInterval(REFRESH_MS, concerts.reload);
  return (
    <div className="stack">
      <div className="op-head">
        <PageTitle title={general.title}>{general.title}</PageTitle>
        <div className="row">
          <Link className="button button-quiet" href="/operator/operators">
            {team.title}
          </Link>
          <Link className="button button-quiet" href="/operator/mailbox">
            {mailbox.title}
          </Link>
          <Link className="button button-quiet" href="/operator/audit">
            {audit.all}
          </Link>
          <Link className="button button-primary" href="/operator/new">
            {general.newConcert}
          </Link>
        </div>
      </div>
      <ConcertFilters filter={filter} onChange={setFilter} />
      <Loading of={concerts}>{(all) => <ConcertRows concerts={all} filter={deferredFilter} />}</Loading>
    </div>
  );
}
