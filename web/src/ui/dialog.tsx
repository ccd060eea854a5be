import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useText } from '../i18n/index.js';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** The buttons, the safe one first. */
  readonly actions: ReactNode;
}

/** A modal dialog, open as long as it is rendered. */
export function Dialog({ title, onClose, children, actions }: Props) {
  const { common } = useText();
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className="dialog-head">
        <h2 id={titleId}>{title}</h2>
        <button type="button" className="icon-button" aria-label={common.close} onClick={onClose}>
          ×
        </button>
      </div>
      <div className="dialog-body">{children}</div>
      <div className="dialog-actions">{actions}</div>
    </dialog>
  );
}
