import { useDeferredValue, useState } from 'react';
import { Link } from '../app/link.js';
import { PageTitle } from '../app/page-title.js';
import { useFormat } from '../i18n/index.js';
import { Field, Loading, useLoaded, useServerNow } from '../ui/index.js';
import { operatorApi, type OperatorConcert } from './operator-api.js';
import { SaleTag, NextSaleTime } from './sale-tag.js';
import { useOperatorText } from './texts/index.js';

const MINUTE_MS = 60_000;

const matchesSearch = ({ title, venue }: OperatorConcert, search: string): boolean =>
  `${title} ${venue}`.toLocaleLowerCase().includes(search.trim().toLocaleLowerCase());

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

function ConcertRow({ concert }: { readonly concert: OperatorConcert }) {
  const nowMs = useServerNow(MINUTE_MS);
  return (
    <li className="card op-concert">
      <div>
        <h2>
          <Link href={`/operator/concerts/${concert.id}`}>{concert.title}</Link>
        </h2>
        <p className="soft">{concert.venue}</p>
      </div>
      <div className="op-concert-state">
        <SaleTag concert={concert} nowMs={nowMs} />
        <span className="soft small">
          <NextSaleTime concert={concert} nowMs={nowMs} />
        </span>
      </div>
      <SoldProgress sold={concert.seatsSold} total={concert.seatsTotal} />
    </li>
  );
}

function ConcertRows({
  concerts,
  search,
}: {
  readonly concerts: readonly OperatorConcert[];
  readonly search: string;
}) {
  const { general } = useOperatorText();
  const found = concerts.filter((concert) => matchesSearch(concert, search));
  if (concerts.length === 0) return <p className="card">{general.none}</p>;
  return (
    <>
      <p className="soft small" role="status">
        {found.length === 0 ? general.noneFound(search.trim()) : general.found(found.length)}
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
  const [search, setSearch] = useState('');
  const deferredSearch = useDeferredValue(search);
  const concerts = useLoaded('operator concerts', operatorApi.concerts);
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
      <Field label={general.searchConcerts} type="search" value={search} onChange={setSearch} />
      <Loading of={concerts}>{(all) => <ConcertRows concerts={all} search={deferredSearch} />}</Loading>
    </div>
  );
}
