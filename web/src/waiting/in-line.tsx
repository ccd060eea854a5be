import { useEffect, useEffectEvent, useRef } from 'react';
import type { Concert, Problem } from '../api/index.js';
import { PageTitle } from '../app/page-title.js';
import { navigate } from '../app/router.js';
import { toast } from '../app/toasts.js';
import { useFormat, useText } from '../i18n/index.js';
import { Notice, Spinner } from '../ui/index.js';
import { bell } from './bell.js';
import { CallMe } from './call-me.js';
import { LeaveLine } from './leave-line.js';
import { placeEndedProblem } from './place-ended-problem.js';
import { RankBoard } from './rank-board.js';
import { usePlaceFeed } from './use-place-feed.js';

interface Props {
  readonly concert: Concert;
  readonly token: string;
  readonly onOver: (problem: Problem) => void;
}

/** Waiting, live, until it is one's turn. */
export function InLine({ concert, token, onOver }: Props) {
  const { waiting: text } = useText();
  const format = useFormat();
  const now = usePlaceFeed(concert.id, token, onOver);
  const { place } = now;
  const status = place?.status;
  const hasWaited = useRef(false);

  const moveOn = useEffectEvent((reached: 'ACTIVE' | 'DONE' | 'EXPIRED') => {
    if (reached !== 'ACTIVE') {
      onOver(placeEndedProblem(reached));
      return;
    }
    if (hasWaited.current) {
      bell.ring();
      if (document.hidden) bell.notify(text.admittedTitle, text.admittedBody(concert.title));
      toast(text.admitted, 'good');
    }
    navigate(`/concerts/${concert.id}/dates`, { replace: true });
  });
  useEffect(() => {
    if (status === 'WAITING') hasWaited.current = true;
    else if (status !== undefined) moveOn(status);
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
        <CallMe />
        <LeaveLine concertId={concert.id} token={token} rank={rank} />
      </div>
    </section>
  );
}
