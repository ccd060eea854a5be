import { toast } from '../../app/toasts.js';
import { ConfirmDialog } from '../../ui/index.js';
import { useOperatorText } from '../texts/index.js';

/** A change to a running sale that has to be confirmed. */
export interface PendingChange {
  readonly title: string;
  /** What will happen, in sentences. */
  readonly consequences: readonly string[];
  readonly confirmLabel: string;
  readonly isDestructive?: boolean;
  readonly apply: () => Promise<void>;
}

/** Asks for confirmation of a change with immediate effect. */
export function ConfirmChange({
  change,
  onClose,
}: {
  readonly change: PendingChange;
  readonly onClose: () => void;
}) {
  const { controls } = useOperatorText();
  const { title, consequences, confirmLabel, isDestructive = false, apply } = change;
  const confirm = async (): Promise<void> => {
    await apply();
    toast(controls.done, 'good');
    onClose();
  };
  return (
    <ConfirmDialog
      {...{ title, confirmLabel, isDestructive, onClose }}
      cancelLabel={controls.cancel}
      action={confirm}
    >
      {consequences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </ConfirmDialog>
  );
}
