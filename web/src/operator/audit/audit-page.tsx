import { useFormat } from '../../i18n/index.js';
import { Loading, LoadMoreButton, usePagedList } from '../../ui/index.js';
import { operatorApi, type OperatorConcertDetails } from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';
import { describeEntry } from './describe-entry.js';

/** The audit log of a concert, newest first. */
export function AuditPage({ concert }: { readonly concert: OperatorConcertDetails }) {
  const text = useOperatorText();
  const format = useFormat();
  const list = usePagedList(`audit ${concert.id}`, (page, signal) =>
    operatorApi.audit(concert.id, page, signal),
  );
  const formatters = {
    text,
    number: format.number,
    date: (at: string) => format.date(at),
    money: (amount: number) => format.money(amount, concert.currency),
  };
  return (
    <section className="stack" aria-label={text.general.audit}>
      <Loading of={list.loaded}>
        {({ items }) => (
          <>
            {items.length === 0 && <p className="card">{text.audit.none}</p>}
            <ol className="op-audit">
              {items.map((entry) => (
                <li key={entry.id}>
                  <time dateTime={entry.at}>{format.date(entry.at)}</time>
                  <div>
                    {describeEntry(entry, formatters).map((sentence) => (
                      <p key={sentence}>{sentence}</p>
                    ))}
                  </div>
                </li>
              ))}
            </ol>
            <LoadMoreButton list={list} />
          </>
        )}
      </Loading>
    </section>
  );
}
