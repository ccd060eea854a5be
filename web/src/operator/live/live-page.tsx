import { useFormat } from '../../i18n/index.js';
import { Failure, Notice, Spinner } from '../../ui/index.js';
import { desk as server, type DeskConcertWithDates } from '../desk.js';
import { useOperatorText } from '../texts/index.js';
import { Controls } from './controls.js';
import { Hall } from './hall.js';
import { HistoryTable } from './history-table.js';
import { Numbers } from './numbers.js';
import { useLive } from './use-live.js';
import { usePolling } from './use-polling.js';

/** Another promoter, or the command line, may change the rules as well. */
const CONCERT_EVERY_MS = 10_000;

interface Props {
  readonly concert: DeskConcertWithDates;
  readonly onChanged: (concert: DeskConcertWithDates) => void;
}

/** The sale as it runs, and the hands on it. */
export function LivePage({ concert, onChanged }: Props) {
  const { live } = useOperatorText();
  const format = useFormat();
  const { stats, samples, nowMs, error, poke } = useLive(concert.id);
  const { poke: reread } = usePolling(
    `rules ${concert.id}`,
    CONCERT_EVERY_MS,
    (signal) => server.concert(concert.id, signal),
    onChanged,
  );
  const changed = (next: DeskConcertWithDates): void => {
    onChanged(next);
    // An older answer that is on its way must not undo it on the screen.
    reread();
    poke();
  };
  return (
    <div className="op-live">
      <div className="stack">
        {stats && error !== undefined && <Notice tone="warn">{live.stale}</Notice>}
        {!stats && error === undefined && <Spinner onRetry={poke} />}
        {!stats && error !== undefined && <Failure error={error} onRetry={poke} />}
        {stats && <Numbers concert={concert} stats={stats} samples={samples} nowMs={nowMs} />}
        {stats && (
          <div className="op-under-numbers">
            <HistoryTable samples={samples} currency={concert.currency} />
            <span className="soft small">{live.updated(format.date(nowMs, 'time'))}</span>
          </div>
        )}
        <Hall concert={concert} />
      </div>
      <Controls concert={concert} stats={stats} nowMs={nowMs} onChanged={changed} />
    </div>
  );
}
