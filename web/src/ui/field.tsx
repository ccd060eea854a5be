import { type InputHTMLAttributes, type ReactNode, useId } from 'react';

interface Notes {
  readonly hint?: ReactNode;
  /** The validation error, shown below the field. */
  readonly error?: string | undefined;
}

interface Props extends Notes, Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The `aria-describedby` of a field with these notes. */
export const describedBy = (id: string, { hint, error }: Notes): string | undefined =>
  [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ') ||
  undefined;

/** The hint and the error below a field. */
export function FieldNotes({ id, hint, error }: { readonly id: string } & Notes) {
  return (
    <>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
    </>
  );
}

/** A labelled single-line input. */
export function Field({ label, value, onChange, hint, error, ...rest }: Props) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={describedBy(id, { hint, error })}
        {...rest}
      />
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  );
}
