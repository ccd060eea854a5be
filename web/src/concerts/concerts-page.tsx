import { type Concert, api } from '../api/index.js';
import { Link } from '../app/link.js';
import { PageTitle } from '../app/page-title.js';
import { useText } from '../i18n/index.js';
import {
  Loading,
  LoadMoreButton,
  Notice,
  useVisibleInterval,
  usePagedList,
  useServerNow,
} from '../ui/index.js';
import { Poster } from './poster.js';
import { SaleTag } from './sale-tag.js';

const REFRESH_MS = 30_000;

function ConcertCard({ concert, nowMs }: { readonly concert: Concert; readonly nowMs: number }) {
  return (
    <li>
      <Link className="concert-card" href={`/concerts/${concert.id}`}>
        <Poster of={concert.id} />
        <div className="concert-card-text">
          <SaleTag concert={concert} nowMs={nowMs} />
          <h2>{concert.title}</h2>
          <p className="soft">{concert.venue}</p>
        </div>
      </Link>
    </li>
  );
}

export function ConcertsPage() {
  const { concerts: text, common } = useText();
  const nowMs = useServerNow();
  const concerts = usePagedList('concerts', (page, signal) => api.get('/concerts', { signal, query: page }));
  useVisibleInterval(REFRESH_MS, concerts.loaded.reload);
  return (
    <>
      <div className="hero stack">
        <PageTitle title={text.title}>{common.tagline}</PageTitle>
        <p className="soft">{text.lead}</p>
      </div>
      <Loading of={concerts.loaded}>
        {() =>
          concerts.items.length === 0 ? (
            <Notice title={text.none}>{text.noneHint}</Notice>
          ) : (
            <>
              <ul className="concert-grid">
                {concerts.items.map((concert) => (
                  <ConcertCard key={concert.id} concert={concert} nowMs={nowMs} />
                ))}
              </ul>
              <LoadMoreButton list={concerts} />
            </>
          )
        }
      </Loading>
    </>
  );
}
