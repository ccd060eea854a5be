import { useDeferredValue, useState } from 'react';
import { Link } from '../app/link.js';
import { PageTitle } from '../app/page-title.js';
import { useFormat } from '../i18n/index.js';
import { Field, Loading, useLoaded, useServerNow } from '../ui/index.js';
import { desk as server, type DeskConcert } from './desk.js';
import { SaleTag, SaleTimesLine } from './sale-state.js';
import { useOperatorText } from './texts/index.js';

const MINUTE_MS = 60_000;

const isLike = ({ title, venue }: DeskConcert, wanted: string): boolean =>
  `${title} ${venue}`.toLocaleLowerCase().includes(wanted.trim().toLocaleLowerCase());

function Sold({ sold, total }: { readonly sold: number; readonly total: number }) {
  const { desk } = useOperatorText();
  const format = useFormat();
  const says = desk.sold(format.number(sold), format.number(total));
  return (
    <div className="op-sold">
      <span>{says}</span>
      <progress max={Math.max(1, total)} value={sold} aria-label={says} />
    </div>
  );
}

function Row({ concert }: { readonly concert: DeskConcert }) {
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
          <SaleTimesLine concert={concert} nowMs={nowMs} />
        </span>
      </div>
      <Sold sold={concert.seatsSold} total={concert.seatsTotal} />
    </li>
  );
}

function Rows({ concerts, wanted }: { readonly concerts: readonly DeskConcert[]; readonly wanted: string }) {
  const { desk } = useOperatorText();
  const found = concerts.filter((concert) => isLike(concert, wanted));
  if (concerts.length === 0) return <p className="card">{desk.none}</p>;
  return (
    <>
      <p className="soft small" role="status">
        {found.length === 0 ? desk.noneFound(wanted.trim()) : desk.found(found.length)}
      </p>
      <ul className="op-concerts">
        {found.map((concert) => (
          <Row key={concert.id} concert={concert} />
        ))}
      </ul>
    </>
  );
}

export function ConcertList() {
  const { desk } = useOperatorText();
  const [wanted, setWanted] = useState('');
  const shown = useDeferredValue(wanted);
  const concerts = useLoaded('operator concerts', server.concerts);
  return (
    <div className="stack">
      <div className="op-head">
        <PageTitle title={desk.title}>{desk.title}</PageTitle>
        <Link className="button button-primary" href="/operator/new">
          {desk.newConcert}
        </Link>
      </div>
      <Field label={desk.searchConcerts} type="search" value={wanted} onChange={setWanted} />
      <Loading of={concerts}>{(all) => <Rows concerts={all} wanted={shown} />}</Loading>
    </div>
  );
}
