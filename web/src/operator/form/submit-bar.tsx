import type { RefObject } from 'react';
import { Button, ErrorNotice } from '../../ui/index.js';
import { useOperatorText } from '../texts/index.js';
import { ErrorSummary } from './error-summary.js';
import type { ServerFault } from './server-faults.js';

interface Props {
  readonly label: string;
  readonly busy: boolean;
  readonly form: RefObject<HTMLFormElement | null>;
  readonly attempts: number;
  readonly error: unknown;
  /** What the server refuses and no field shows. */
  readonly leftOver: readonly ServerFault[];
}

/** The end of a form: all of its errors, the server's refusal and the submit button. */
export function SubmitBar({ label, busy, form, attempts, error, leftOver }: Props) {
  const { form: text } = useOperatorText();
  return (
    <div className="stack-small">
      <ErrorSummary form={form} attempts={attempts} />
      {error !== undefined && <ErrorNotice error={error} />}
      {leftOver.map(({ path, rule }) => (
        <p key={`${path} ${rule}`} className="field-error">
          {text.refusedAt(`${path} ${rule}`)}
        </p>
      ))}
      <Button type="submit" className="button-large" busy={busy}>
        {label}
      </Button>
    </div>
  );
}
