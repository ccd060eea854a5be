import { api, type Overview } from '../api/index.js';
import { Link } from '../app/link.js';
import { PageTitle } from '../app/page-title.js';
import { type Dictionary, useText } from '../i18n/index.js';
import { places } from '../session/index.js';
import { Loading, useLoaded } from '../ui/index.js';

interface Props {
  readonly concertId: string;
  /** The fan had been admitted, but has no seat. */
  readonly wasAdmitted?: boolean;
}

/** Why there is nothing to wait for, and whether joining again can make sense. */
function explainEnd(
  { saleState, soldOut }: Overview,
  wasAdmitted: boolean,
  text: Dictionary['waiting'],
): { readonly title: string; readonly body: string; readonly isOpen: boolean } {
  if (saleState === 'CLOSED')
    return {
      title: text.closedTitle,
      body: wasAdmitted ? text.closedInsideText : text.closedText,
      isOpen: false,
    };
  if (soldOut)
    return {
      title: text.soldOutTitle,
      body: wasAdmitted ? text.soldOutInsideText : text.soldOutText,
      isOpen: true,
    };
  // Reopened, or a ticket was returned: those who waited have lost their places all the same.
  return { title: text.reopenedTitle, body: text.reopenedText, isOpen: true };
}

/** The sale is over for this fan: because it closed, or because every seat is sold. Says what they can do. */
export function SaleEnded({ concertId, wasAdmitted = false }: Props) {
  const { waiting: text, common } = useText();
  const overview = useLoaded(`sale ended ${concertId}`, (signal) =>
    api.get('/concerts/{id}/overview', { params: { id: concertId }, signal }),
  );
  const forget = (): void => places.remove(concertId);
  return (
    <Loading of={overview}>
      {(value) => {
        const { title, body, isOpen } = explainEnd(value, wasAdmitted, text);
        return (
          <section className="narrow stack">
            <PageTitle title={title}>{title}</PageTitle>
            <p>{body}</p>
            <div className="row">
              <Link className="button button-primary" href="/" onClick={forget}>
                {text.otherConcerts}
              </Link>
              <Link className="button button-quiet" href="/mine" onClick={forget}>
                {common.myTickets}
              </Link>
              {isOpen && (
                <Link className="button button-quiet" href={`/concerts/${concertId}`} onClick={forget}>
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
