import { toast } from '../../app/toasts.js';
import { Button, Dialog, Failure, useAction } from '../../ui/index.js';
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
  const action = useAction(async () => {
    await work();
    toast(controls.done, 'good');
    onClose();
  });
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button tone="quiet" onClick={onClose}>
            {controls.keep}
          </Button>
          <Button tone={isGrave ? 'danger' : 'primary'} busy={action.busy} onClick={action.run}>
            {yes}
          </Button>
        </>
      }
    >
      <div className="stack-small">
        {says.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {action.error !== undefined && <Failure error={action.error} />}
      </div>
    </Dialog>
  );
}
