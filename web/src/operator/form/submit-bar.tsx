import { type RefObject, useEffect, useRef } from 'react';
import { isProblem } from '../../api/index.js';
import { Button, Failure, Notice } from '../../ui/index.js';
import { useOperatorText } from '../texts/index.js';

/** Goes to the first field that needs attention, whenever there was an attempt to send. */
export function useFirstFault(attempts: number): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (attempts === 0) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [attempts]);
  return form;
}

interface Props {
  readonly label: string;
  readonly busy: boolean;
  /** How many fields need attention, once it was tried. */
  readonly faults: number;
  readonly error: unknown;
}

/** The end of a form: what hinders, what the server said, and the button. */
export function SubmitBar({ label, busy, faults, error }: Props) {
  const { form } = useOperatorText();
  const field = isProblem(error, 'INVALID_REQUEST') ? error.extra['field'] : undefined;
  return (
    <div className="stack-small">
      {faults > 0 && <Notice tone="bad">{form.faults(faults)}</Notice>}
      {error !== undefined && <Failure error={error} />}
      {typeof field === 'string' && <p className="field-error">{form.refusedAt(field)}</p>}
      <Button type="submit" className="button-large" busy={busy}>
        {label}
      </Button>
    </div>
  );
}
