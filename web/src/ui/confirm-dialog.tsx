import type { ReactNode } from 'react';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { ErrorNotice } from './error-notice.js';
import { useAction } from './use-action.js';

interface Props {
  readonly title: string;
  readonly cancelLabel: string;
  readonly confirmLabel: string;
  /** Whether the action cannot be undone. */
  readonly isDestructive?: boolean;
  /** Primary where keeping things as they are is the recommended choice. */
  readonly cancelTone?: 'primary' | 'quiet';
  readonly action: () => Promise<void>;
  readonly onClose: () => void;
  /** Replaces the general text of a refusal; undefined keeps it. */
  readonly explain?: (error: unknown) => ReactNode;
  /** What will happen, in sentences. */
  readonly children: ReactNode;
}

/** Asks for confirmation and shows the progress and error of the action. The action closes it. */
export function ConfirmDialog(props: Props) {
  const {
    title,
    cancelLabel,
    confirmLabel,
    isDestructive = false,
    cancelTone = 'quiet',
    action,
    onClose,
    explain,
    children,
  } = props;
  const confirm = useAction(action);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button tone={cancelTone} onClick={onClose}>
            {cancelLabel}
          </Button>
          <Button
            tone={isDestructive ? 'danger' : 'primary'}
            busy={confirm.busy}
            onClick={() => confirm.run()}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className="stack-small">
        {children}
        {confirm.error !== undefined && (explain?.(confirm.error) ?? <ErrorNotice error={confirm.error} />)}
      </div>
    </Dialog>
  );
}
