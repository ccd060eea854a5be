import { useFormat } from '../../i18n/index.js';
import { Loading, More, usePagedList } from '../../ui/index.js';
import { desk as server, type DeskConcertWithDates } from '../desk.js';
import { useOperatorText } from '../texts/index.js';
import { sentencesOf } from './sentences.js';

/** Who changed what and when, newest first. */
export function AuditPage({ concert }: { readonly concert: DeskConcertWithDates }) {
  const text = useOperatorText();
  const format = useFormat();
  const list = usePagedList(`audit ${concert.id}`, (page, signal) => server.audit(concert.id, page, signal));
  const words = {
    text,
    number: format.number,
    date: (at: string) => format.date(at),
    money: (amount: number) => format.money(amount, concert.currency),
  };
  return (
    <section className="stack" aria-label={text.desk.audit}>
      <Loading of={list.loaded}>
        {({ items }) => (
          <>
            {items.length === 0 && <p className="card">{text.audit.none}</p>}
            <ol className="op-audit">
              {items.map((entry) => (
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
            <More list={list} />
          </>
        )}
      </Loading>
    </section>
  );
}
