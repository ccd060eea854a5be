import { PageTitle } from '../app/page-title.js';
import { api } from '../api/index.js';
import { useText } from '../i18n/index.js';
import { Loading, useLoaded } from '../ui/index.js';

export function Home() {
  const { common } = useText();
  const concerts = useLoaded('concerts', (signal) => api.get('/concerts', { signal }));
  return (
    <>
      <PageTitle title={common.tagline}>{common.tagline}</PageTitle>
      <Loading of={concerts}>
        {({ items }) => (
          <ul className="stack">
            {items.map((concert) => (
              <li key={concert.id} className="card">
                <h2>{concert.title}</h2>
                <p>{concert.venue}</p>
              </li>
            ))}
          </ul>
        )}
      </Loading>
    </>
  );
}
