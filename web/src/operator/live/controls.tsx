import { useState } from 'react';
import { serverNowMs } from '../../api/index.js';
import { Link } from '../../app/link.js';
import { saleHoursAt } from '../../concerts/sale-state.js';
import { useFormat } from '../../i18n/index.js';
import { Button } from '../../ui/index.js';
import { desk as server, type DeskConcertWithDates, type Policy, type Stats } from '../desk.js';
import { useOperatorText } from '../texts/index.js';
import { Confirm, type Question } from './confirm.js';
import { RulesForm } from './rules-form.js';

interface Props {
  readonly concert: DeskConcertWithDates;
  readonly stats: Stats | undefined;
  readonly nowMs: number;
  readonly onChanged: (concert: DeskConcertWithDates) => void;
}

/** What can be done to the sale, each with a question first. */
export function Controls({ concert, stats, nowMs, onChanged }: Props) {
  const { controls } = useOperatorText();
  const { number } = useFormat();
  const [question, setQuestion] = useState<Question>();
  const state = saleHoursAt(concert, nowMs);
  const { paused } = concert.waitingRoom;
  const waiting = number(stats?.waiting ?? 0);
  const active = number(stats?.active ?? 0);
  const putPolicy = (waitingRoom: Policy): void => onChanged({ ...concert, waitingRoom });
  const setPaused = async (next: boolean): Promise<void> =>
    putPolicy(await server.changePolicy(concert.id, { paused: next }));

  const pause: Question = {
    title: controls.askPause,
    says: [controls.pauseSays(waiting, active)],
    yes: controls.yesPause,
    work: () => setPaused(true),
  };
  const resume: Question = {
    title: controls.askResume,
    says: [controls.resumeSays(waiting)],
    yes: controls.yesResume,
    work: () => setPaused(false),
  };
  const end: Question = {
    title: controls.askEnd,
    says: [controls.endSays(waiting, active), controls.endUndo],
    yes: controls.yesEnd,
    isGrave: true,
    work: async () => {
      const salesCloseAt = new Date(serverNowMs()).toISOString();
      onChanged({ ...concert, ...(await server.edit(concert.id, { salesCloseAt })) });
    },
  };
  const says = {
    BEFORE: controls.beforeNow,
    CLOSED: controls.closedNow,
    OPEN: paused ? controls.pausedNow : controls.runningNow,
  };
  return (
    <section className="card stack op-controls">
      <div>
        <h2>{controls.title}</h2>
        <p className="soft small">{controls.hint}</p>
      </div>
      <div className="stack-small">
        <p role="status">
          <strong>{says[state]}</strong>
        </p>
        {state === 'BEFORE' && paused && <p>{controls.pausedNow}</p>}
        <div className="row">
          {state !== 'CLOSED' && (
            <Button tone={paused ? 'primary' : 'quiet'} onClick={() => setQuestion(paused ? resume : pause)}>
              {paused ? controls.resume : controls.pause}
            </Button>
          )}
          {state === 'OPEN' && (
            <Button tone="danger" onClick={() => setQuestion(end)}>
              {controls.endSale}
            </Button>
          )}
          {state !== 'OPEN' && (
            <Link className="button button-quiet" href={`/operator/concerts/${concert.id}/details`}>
              {controls.editTimes}
            </Link>
          )}
        </div>
      </div>
      <RulesForm concert={concert} ask={setQuestion} onPolicy={putPolicy} />
      {question && <Confirm question={question} onClose={() => setQuestion(undefined)} />}
    </section>
  );
}
