import { useFormat } from '../../i18n/index.js';
import { ErrorNotice, Notice, Spinner } from '../../ui/index.js';
import type { OperatorConcertDetails } from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';
import { Controls } from './controls.js';
import { SalesByDate } from './sales-breakdown.js';
import { LiveSeatMap } from './live-seat-map.js';
import { HistoryTable } from './history-table.js';
import { MetricTiles } from './metric-tiles.js';
import { useLiveStats } from './use-live-stats.js';

interface Props {
  readonly concert: OperatorConcertDetails;
  readonly onChanged: (concert: OperatorConcertDetails) => void;
}

/** The running sale: its numbers, its seats and its controls. */
export function LivePage({ concert, onChanged }: Props) {
  const { live } = useOperatorText();
  const format = useFormat();
  const { stats, samples, nowMs, error, refresh } = useLiveStats(concert.id);
  const changed = (next: OperatorConcertDetails): void => {
    onChanged(next);
    refresh();
  };
  return (
    <div className="op-live">
      <div className="stack">
        {stats && error !== undefined && <Notice tone="warn">{live.stale}</Notice>}
        {!stats && error === undefined && <Spinner onRetry={refresh} />}
        {!stats && error !== undefined && <ErrorNotice error={error} onRetry={refresh} />}
        {stats && <MetricTiles concert={concert} stats={stats} samples={samples} nowMs={nowMs} />}
        {stats && (
          <div className="op-under-numbers">
            <HistoryTable samples={samples} currency={concert.currency} />
            <span className="soft small">{live.updated(format.date(nowMs, 'time'))}</span>
          </div>
        )}
        <LiveSeatMap concert={concert} />
        {concert.schedules.length > 1 && (
          <section className="card">
            <SalesByDate concert={concert} />
          </section>
        )}
      </div>
      <Controls concert={concert} stats={stats} nowMs={nowMs} onChanged={changed} />
    </div>
  );
}
