import { type ReactNode, useState } from 'react';
import { Button, useServerNow } from '../../ui/index.js';
import { concertStateAt } from '../concert-state.js';
import type { OperatorConcertDetails } from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';
import { ConfirmChange, type PendingChange } from './confirm-change.js';
import { usePauseChange } from './use-pause-change.js';

interface Props {
  readonly concert: OperatorConcertDetails;
  readonly onChanged: (concert: OperatorConcertDetails) => void;
}

/** Pauses and resumes from any page of a concert. On a phone it stays at the bottom of the screen. */
export function PauseBar({ concert, onChanged }: Props): ReactNode {
  const { controls, general } = useOperatorText();
  const nowMs = useServerNow();
  const [pending, setPending] = useState<PendingChange>();
  const change = usePauseChange({ concert, counts: concert, onChanged });
  const state = concertStateAt(concert, nowMs);
  if (state === 'DRAFT' || state === 'CLOSED') return undefined;
  const { paused } = concert.waitingRoom;
  return (
    <div className="op-pause-bar">
      <strong>{general.states[state]}</strong>
      <Button tone={paused ? 'primary' : 'danger'} onClick={() => setPending(change)}>
        {paused ? controls.resume : controls.pause}
      </Button>
      {pending && <ConfirmChange change={pending} onClose={() => setPending(undefined)} />}
    </div>
  );
}
