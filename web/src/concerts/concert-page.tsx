import { api, type Concert, type Overview } from '../api/index.js';
import { Link } from '../app/link.js';
import { PageTitle } from '../app/page-title.js';
import { useFormat, useText } from '../i18n/index.js';
import { Loading, useVisibleInterval, useLoaded, useServerNow } from '../ui/index.js';
import { Facts } from './facts.js';
import { Poster } from './poster/poster.js';
import { SaleButton } from './sale-button.js';
import { closingWithLastDate } from './sale-state.js';
import { SaleTag } from './sale-tag.js';
import { useMyTickets } from './use-my-tickets.js';

const REFRESH_MS = 20_000;

async function load(id: string, signal: AbortSignal) {
  const [concert, overview] = await Promise.all([
    api.get('/concerts/{id}', { params: { id }, signal }),
    api.get('/concerts/{id}/overview', { params: { id }, signal }),
  ]);
  return { concert, overview };
}

export function ConcertPage({ id }: { readonly id: string }) {
  const loaded = useLoaded(`concert ${id}`, (signal) => load(id, signal));
  useVisibleInterval(REFRESH_MS, loaded.reload);
  return (
    <Loading of={loaded}>{({ concert, overview }) => <ConcertView {...{ concert, overview }} />}</Loading>
  );
}

function ConcertView({ concert, overview }: { readonly concert: Concert; readonly overview: Overview }) {
  const { concerts: text } = useText();
  const nowMs = useServerNow();
  const tickets = useMyTickets().get(concert.id) ?? 0;
  const sale = { ...closingWithLastDate(concert, overview.dates), soldOut: overview.soldOut };
  return (
    <article className="concert">
      <Poster of={concert} alt={text.posterOf(concert.title)} />
      <div className="concert-head stack-tight">
        <SaleTag concert={sale} nowMs={nowMs} />
        <PageTitle title={concert.title}>{concert.title}</PageTitle>
        {tickets > 0 && (
          <p>
            <Link className="tag tag-mine" href="/mine">
              {text.youHaveTickets(tickets)}
            </Link>
          </p>
        )}
      </div>
      <div className="concert-body stack">
        <Facts concert={concert} overview={overview} />
        {concert.description !== '' && <p className="concert-about">{concert.description}</p>}
      </div>
      <aside className="card stack concert-side">
        <h2>{text.prices}</h2>
        <Prices currency={concert.currency} grades={overview.grades} />
      </aside>
      <div className="concert-action">
        <SaleButton concert={sale} nowMs={nowMs} />
      </div>
    </article>
  );
}

function Prices({ currency, grades }: { readonly currency: string; readonly grades: Overview['grades'] }) {
  const format = useFormat();
  return (
    <dl className="prices">
      {grades.map(({ grade, price }) => (
        <div key={`${grade} ${price}`}>
          <dt>{format.grade(grade)}</dt>
          <dd>{format.money(price, currency)}</dd>
        </div>
      ))}
    </dl>
  );
}
