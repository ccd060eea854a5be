import { useFormat, useText } from '../../i18n/index.js';
import { Button, Failure, Spinner } from '../../ui/index.js';
import { desk as server, type DeskConcertWithDates } from '../desk.js';
import { useOperatorText } from '../texts/index.js';
import { usePages } from '../use-pages.js';
import { sentencesOf } from './sentences.js';

/** Who changed what and when, newest first. */
export function AuditPage({ concert }: { readonly concert: DeskConcertWithDates }) {
  const { common } = useText();
  const text = useOperatorText();
  const format = useFormat();
  const pages = usePages(`audit ${concert.id}`, (cursor) => server.audit(concert.id, { q: '', cursor }));
  const { items, nextCursor, busy, error, reload, more } = pages;
  const words = {
    text,
    number: format.number,
    date: (at: string) => format.date(at),
    money: (amount: number) => format.money(amount, concert.currency),
  };
  return (
    <section className="stack" aria-label={text.desk.audit}>
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {items === undefined && error === undefined && <Spinner onRetry={reload} />}
      {items?.length === 0 && <p className="card">{text.audit.none}</p>}
      <ol className="op-audit">
        {items?.map((entry) => (
          <li key={entry.id}>
            <time dateTime={entry.at}>{format.date(entry.at)}</time>
            <div>
              {sentencesOf(entry, words).map((sentence) => (
                <p key={sentence}>{sentence}</p>
              ))}
            </div>
          </li>
        ))}
      </ol>
      {nextCursor !== null && (
        <Button tone="quiet" onClick={more} busy={busy}>
          {common.loadMore}
        </Button>
      )}
    </section>
  );
}
