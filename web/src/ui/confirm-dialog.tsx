import type { ReactNode } from 'react';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { Failure } from './failure.js';
import { useAction } from './use-action.js';

interface Props {
  readonly title: string;
  /** The way out. */
  readonly keep: string;
  readonly yes: string;
  /** Whether it takes something away for good. */
  readonly isGrave?: boolean;
  /** A fan's way out stands out; a promoter knows what they came for. */
  readonly keepTone?: 'primary' | 'quiet';
  readonly work: () => Promise<void>;
  readonly onClose: () => void;
  /** What a refusal means here, where the usual sentence would be wrong. */
  readonly explain?: (error: unknown) => ReactNode;
  /** What exactly will happen. */
  readonly children: ReactNode;
}

/** Asks once more before something is done, and stays until it is. */
export function ConfirmDialog(props: Props) {
  const { title, keep, yes, isGrave = false, keepTone = 'quiet', work, onClose, explain, children } = props;
  const action = useAction(work);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button tone={keepTone} onClick={onClose}>
            {keep}
          </Button>
          <Button tone={isGrave ? 'danger' : 'primary'} busy={action.busy} onClick={() => action.run()}>
            {yes}
          </Button>
        </>
      }
    >
      <div className="stack-small">
        {children}
        {action.error !== undefined && (explain?.(action.error) ?? <Failure error={action.error} />)}
      </div>
    </Dialog>
  );
}
