import { type RefObject, useEffect, useRef } from 'react';
import { isProblem } from '../../api/index.js';
import { Button, ErrorNotice, Notice } from '../../ui/index.js';
import { useOperatorText } from '../texts/index.js';

/** Focuses the first invalid field after each attempt to submit. */
export function useFocusFirstError(attempts: number): RefObject<HTMLFormElement | null> {
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
  /** The number of invalid fields, 0 before the first attempt to submit. */
  readonly errorCount: number;
  readonly error: unknown;
}

/** The end of a form: its errors, the server's refusal and the submit button. */
export function SubmitBar({ label, busy, errorCount, error }: Props) {
  const { form } = useOperatorText();
  const field = isProblem(error, 'INVALID_REQUEST') ? error.details['field'] : undefined;
  return (
    <div className="stack-small">
      {errorCount > 0 && <Notice tone="bad">{form.errorCount(errorCount)}</Notice>}
      {error !== undefined && <ErrorNotice error={error} />}
      {typeof field === 'string' && <p className="field-error">{form.refusedAt(field)}</p>}
      <Button type="submit" className="button-large" busy={busy}>
        {label}
      </Button>
    </div>
  );
}
