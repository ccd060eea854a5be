import { useEffect, useEffectEvent, useState } from 'react';
import type { QueueToken } from '../api/index.js';
import { useFormat, useText } from '../i18n/index.js';
import { queueProgress, rememberQueueStart } from './queue-progress.js';
import { useEstimate } from './use-estimate.js';
import type { LivePlace } from './use-live-place.js';

const ANNOUNCE_EVERY_MS = 20_000;

/** Announces the rank at intervals: announcing every change would never let a screen reader finish. */
function RankAnnouncement({ text }: { readonly text: string }) {
  const [spoken, setSpoken] = useState(text);
  const speak = useEffectEvent(() => setSpoken(text));
  useEffect(() => {
    const timer = setInterval(() => speak(), ANNOUNCE_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className="visually-hidden" role="status">
      {spoken}
    </p>
  );
}

/** The rank, the progress and the estimated wait. */
export function RankBoard({ now, place }: { readonly now: LivePlace; readonly place: QueueToken }) {
  const { waiting: text } = useText();
  const format = useFormat();
  const estimate = useEstimate(place, now.updatedAtMs);
  const { concertId, joinedAt, rank } = place;
  useEffect(() => rememberQueueStart(concertId, joinedAt, rank), [concertId, joinedAt, rank]);
  const done = queueProgress(concertId, joinedAt, rank);
  const connection = now.connection === 'lost' ? undefined : text[now.connection];
  return (
    <div className="card rank-board">
      <p className="rank-label" id="rank-label">
        {text.rankLabel}
      </p>
      <p className="rank" aria-labelledby="rank-label">
        {text.rank(format.number(rank))}
      </p>
      <RankAnnouncement text={`${text.rankLabel}: ${text.rank(format.number(rank))}`} />
      <progress className="line-progress" max={1} value={Math.max(0.01, done)} aria-label={text.progress} />
      <dl className="rank-facts">
        <div>
          <dt>{text.ahead}</dt>
          <dd>{format.number(place.ahead)}</dd>
        </div>
        <div>
          <dt>{text.estimate}</dt>
          <dd>{estimate}</dd>
        </div>
      </dl>
      <p className="soft small rank-updated">
        {connection !== undefined && <span className={`dot dot-${now.connection}`}>{connection}</span>}
        <span>{text.updated(format.date(now.updatedAtMs, 'time'))}</span>
      </p>
    </div>
  );
}
