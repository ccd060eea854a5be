import { useState } from 'react';
import { useFormat } from '../../i18n/index.js';
import { ColumnHeads } from '../column-heads.js';
import { useOperatorText } from '../texts/index.js';
import { lastOfEachMinute, type Sample } from './samples.js';

/** The data of the plots as a table. */
export function HistoryTable({
  samples,
  currency,
}: {
  readonly samples: readonly Sample[];
  readonly currency: string;
}) {
  const { live } = useOperatorText();
  const format = useFormat();
  const [isOpen, setOpen] = useState(false);
  const heads = [
    live.time,
    live.waiting,
    live.active,
    live.joined,
    live.admitted,
    live.held,
    live.sold,
    live.revenue,
  ];
  return (
    <details className="op-details" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{live.asTable}</summary>
      {isOpen && (
        <div className="op-scroll" tabIndex={0} role="region" aria-label={live.tableTitle}>
          <table className="op-numbers">
            <caption className="visually-hidden">{live.tableTitle}</caption>
            <ColumnHeads names={heads} />
            <tbody>
              {lastOfEachMinute(samples).map((sample) => (
                <tr key={sample.atMs}>
                  <th scope="row">{format.date(sample.atMs, 'time')}</th>
                  {[
                    sample.waiting,
                    sample.active,
                    sample.joined,
                    sample.admitted,
                    sample.held,
                    sample.sold,
                  ].map((value, index) => (
                    <td key={heads[index + 1]}>{format.number(value)}</td>
                  ))}
                  <td>{format.money(sample.revenue, currency)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
