import { type ComponentProps, useState } from 'react';
import { Button } from './button.js';
import { ConfirmDialog } from './confirm-dialog.js';

type Props = Omit<ComponentProps<typeof ConfirmDialog>, 'onClose'> & { readonly label: string };

/** A button for something that cannot be undone: it opens a dialog that asks for confirmation. */
export function ConfirmButton({ label, ...dialog }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button tone="quiet" onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      {isOpen && <ConfirmDialog {...dialog} onClose={() => setIsOpen(false)} />}
    </>
  );
}
