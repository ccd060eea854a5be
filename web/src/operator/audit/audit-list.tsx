import type { ReactNode } from 'react';
import { useFormat } from '../../i18n/index.js';
import { Loading, LoadMoreButton, type PagedList } from '../../ui/index.js';
import type { AuditEntry } from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';
import { describeEntry } from './describe-entry.js';

interface Props {
  readonly list: PagedList<AuditEntry>;
  readonly money: (amount: number) => string;
  /** What stands above the sentences of an entry. */
  readonly heading?: (entry: AuditEntry) => ReactNode;
}

/** Entries of the audit log in sentences, newest first. */
export function AuditList({ list, money, heading }: Props) {
  const text = useOperatorText();
  const format = useFormat();
  const formatters = { ...format, text, date: (at: string) => format.date(at), money };
  return (
    <Loading of={list.loaded}>
      {({ items }) => (
        <>
          {items.length === 0 && <p className="card">{text.audit.none}</p>}
          <ol className="op-audit">
            {items.map((entry) => (
              <li key={entry.id}>
                <time dateTime={entry.at}>{format.date(entry.at)}</time>
                <div>
                  {heading?.(entry)}
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
  );
}
