import { toast } from '../../app/toasts.js';
import { ConfirmDialog } from '../../ui/index.js';
import { useOperatorText } from '../texts/index.js';

/** Something about to be done to a running sale. */
export interface Question {
  readonly title: string;
  /** What exactly will happen. */
  readonly says: readonly string[];
  readonly yes: string;
  readonly isGrave?: boolean;
  readonly work: () => Promise<void>;
}

/** Asks before a change that everybody feels at once. */
export function Confirm({
  question,
  onClose,
}: {
  readonly question: Question;
  readonly onClose: () => void;
}) {
  const { controls } = useOperatorText();
  const { title, says, yes, isGrave = false, work } = question;
  const change = async (): Promise<void> => {
    await work();
    toast(controls.done, 'good');
    onClose();
  };
  return (
    <ConfirmDialog {...{ title, yes, isGrave, onClose }} keep={controls.keep} work={change}>
      {says.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </ConfirmDialog>
  );
}
