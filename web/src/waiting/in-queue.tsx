import { useEffect, useEffectEvent, useRef } from 'react';
import type { Concert, Problem, QueueToken } from '../api/index.js';
import { PageTitle } from '../app/page-title.js';
import { navigate } from '../app/router.js';
import { toast } from '../app/toasts.js';
import { useFormat, useText } from '../i18n/index.js';
import { Notice, Spinner } from '../ui/index.js';
import { admissionAlert } from './admission-alert.js';
import { NotifyMe } from './notify-me.js';
import { LeaveQueue } from './leave-queue.js';
import { placeEndedProblem } from './place-ended-problem.js';
import { QueueNotice } from './queue-notice.js';
import { RankBoard } from './rank-board.js';
import { useLivePlace } from './use-live-place.js';

interface Props {
  readonly concert: Concert;
  readonly token: string;
  readonly onEnded: (problem: Problem) => void;
}

/** The live view of a waiting place. On admission it opens the dates. */
export function InQueue({ concert, token, onEnded }: Props) {
  const { waiting: text } = useText();
  const format = useFormat();
  const now = useLivePlace(concert.id, token, onEnded);
  const { place } = now;
  const status = place?.status;
  const wasWaiting = useRef(false);

  const onStatusChange = useEffectEvent((reached: Exclude<QueueToken['status'], 'WAITING'>) => {
    if (reached !== 'ACTIVE') {
      onEnded(placeEndedProblem(reached));
      return;
    }
    if (wasWaiting.current) {
      admissionAlert.announce(concert.id, text.admittedTitle, text.admittedBody(concert.title));
      toast(text.admitted, 'good');
    }
    navigate(`/concerts/${concert.id}/dates`, { replace: true });
  });
  useEffect(() => {
    if (status === 'WAITING') wasWaiting.current = true;
    else if (status !== undefined) onStatusChange(status);
  }, [status]);

  if (place?.status !== 'WAITING') {
    return now.connection === 'lost' ? (
      <Notice tone="warn">{text.lost}</Notice>
    ) : (
      <Spinner label={text.joining} />
    );
  }
  const rank = format.number(place.rank);
  return (
    <section className="narrow stack">
      <PageTitle title={`${text.tabTitle(rank)} · ${concert.title}`}>
        <span className="over-title">{text.title}</span>
        {concert.title}
      </PageTitle>
      {now.connection === 'lost' && <Notice tone="warn">{text.lost}</Notice>}
      {place.paused && (
        <Notice tone="warn" title={text.pausedTitle}>
          {text.pausedText}
        </Notice>
      )}
      <QueueNotice notice={place.notice} />
      <RankBoard now={now} place={place} />
      <div className="stack">
        <h2>{text.nextTitle}</h2>
        <ol className="steps">
          {text.nextSteps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </div>
      <div className="row waiting-actions">
        <NotifyMe />
        <LeaveQueue concertId={concert.id} token={token} rank={rank} />
      </div>
    </section>
  );
}
