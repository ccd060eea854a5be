import { useState } from 'react';
import { serverNowMs } from '../../api/index.js';
import { Link } from '../../app/link.js';
import { closingWithLastDate, salePhaseAt } from '../../concerts/sale-state.js';
import { useFormat } from '../../i18n/index.js';
import { Button } from '../../ui/index.js';
import { operatorApi, type OperatorConcertDetails, type Policy, type Stats } from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';
import { ConfirmChange, type PendingChange } from './confirm-change.js';
import { NoticeForm } from './notice-form.js';
import { PolicyForm } from './policy-form.js';
import { usePauseChange } from './use-pause-change.js';

interface Props {
  readonly concert: OperatorConcertDetails;
  readonly stats: Stats | undefined;
  readonly nowMs: number;
  readonly onChanged: (concert: OperatorConcertDetails) => void;
}

/** Pauses, resumes or ends the sale and changes its policy, each after a confirmation. */
export function Controls({ concert, stats, nowMs, onChanged }: Props) {
  const { controls } = useOperatorText();
  const { number } = useFormat();
  const [pending, setPending] = useState<PendingChange>();
  const state = salePhaseAt(closingWithLastDate(concert, concert.schedules), nowMs);
  const { paused } = concert.waitingRoom;
  const waiting = number(stats?.waiting ?? 0);
  const active = number(stats?.active ?? 0);
  const putPolicy = (waitingRoom: Policy): void => onChanged({ ...concert, waitingRoom });
  const pause = usePauseChange({ concert, counts: stats ?? concert, onChanged });
  const end: PendingChange = {
    title: controls.askEnd,
    consequences: [
      controls.endConsequence(waiting),
      concert.waitingRoom.consumeOn === 'PAYMENT' ? controls.endUnpaid(active) : controls.endHeld,
      controls.endUndo,
    ],
    confirmLabel: controls.confirmEnd,
    isDestructive: true,
    apply: async () => {
      const salesCloseAt = new Date(serverNowMs()).toISOString();
      onChanged({ ...concert, ...(await operatorApi.edit(concert.id, { salesCloseAt })) });
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
            <Button
              className="op-pause"
              tone={paused ? 'primary' : 'quiet'}
              onClick={() => setPending(pause)}
            >
              {paused ? controls.resume : controls.pause}
            </Button>
          )}
          {state === 'OPEN' && (
            <Button tone="danger" onClick={() => setPending(end)}>
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
      <NoticeForm concert={concert} onPolicy={putPolicy} />
      <PolicyForm concert={concert} onChange={setPending} onPolicy={putPolicy} />
      {pending && <ConfirmChange change={pending} onClose={() => setPending(undefined)} />}
    </section>
  );
}
