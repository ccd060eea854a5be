import { useFormat } from '../../i18n/index.js';
import { operatorApi, type OperatorConcertDetails } from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';
import type { PendingChange } from './confirm-change.js';

/** Pausing a running sale or resuming a paused one, with its consequences. */
export function usePauseChange({
  concert,
  counts,
  onChanged,
}: {
  readonly concert: OperatorConcertDetails;
  /** The newest known numbers of the waiting room. */
  readonly counts: { readonly waiting: number; readonly active: number };
  readonly onChanged: (concert: OperatorConcertDetails) => void;
}): PendingChange {
  const { controls } = useOperatorText();
  const { number } = useFormat();
  const waiting = number(counts.waiting);
  const setPaused = async (paused: boolean): Promise<void> =>
    onChanged({ ...concert, waitingRoom: await operatorApi.changePolicy(concert.id, { paused }) });
  return concert.waitingRoom.paused
    ? {
        title: controls.askResume,
        consequences: [controls.resumeConsequence(waiting)],
        confirmLabel: controls.confirmResume,
        apply: () => setPaused(false),
      }
    : {
        title: controls.askPause,
        consequences: [controls.pauseConsequence(waiting, number(counts.active))],
        confirmLabel: controls.confirmPause,
        apply: () => setPaused(true),
      };
}
