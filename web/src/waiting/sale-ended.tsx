import { api } from '../api/index.js';
import { Link } from '../app/link.js';
import { PageTitle } from '../app/page-title.js';
import { useText } from '../i18n/index.js';
import { places } from '../session/index.js';
import { Loading, useLoaded } from '../ui/index.js';

/** The sale ended for those who were waiting: because it closed, or because every seat is sold. */
export function SaleEnded({ concertId }: { readonly concertId: string }) {
  const { waiting: text, common } = useText();
  const overview = useLoaded(`sale ended ${concertId}`, (signal) =>
    api.get('/concerts/{id}/overview', { params: { id: concertId }, signal }),
  );
  return (
    <Loading of={overview}>
      {({ saleState }) => {
        const isSoldOut = saleState !== 'CLOSED';
        const title = isSoldOut ? text.soldOutTitle : text.closedTitle;
        return (
          <section className="narrow stack">
            <PageTitle title={title}>{title}</PageTitle>
            <p>{isSoldOut ? text.soldOutText : text.closedText}</p>
            <div className="row">
              <Link className="button button-primary" href="/">
                {text.otherConcerts}
              </Link>
              <Link className="button button-quiet" href="/mine">
                {common.myTickets}
              </Link>
              {isSoldOut && (
                <Link
                  className="button button-quiet"
                  href={`/concerts/${concertId}`}
                  onClick={() => places.remove(concertId)}
                >
                  {text.backToConcert}
                </Link>
              )}
            </div>
          </section>
        );
      }}
    </Loading>
  );
}
