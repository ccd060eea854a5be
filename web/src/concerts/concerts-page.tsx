import { api } from '../api/index.js';
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
import { ConcertCard } from './concert-card.js';
import { useMyTickets } from './use-my-tickets.js';

const REFRESH_MS = 30_000;

export function ConcertsPage() {
  const { concerts: text, common } = useText();
  const nowMs = useServerNow();
  const tickets = useMyTickets();
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
                  <ConcertCard
                    key={concert.id}
                    concert={concert}
                    tickets={tickets.get(concert.id) ?? 0}
                    nowMs={nowMs}
                  />
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
