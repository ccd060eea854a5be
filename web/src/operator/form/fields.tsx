import { type ReactNode, useId } from 'react';

interface Common {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
}

function Notes({ id, hint, error }: { readonly id: string } & Omit<Common, 'label'>) {
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

const describedBy = (id: string, { hint, error }: Omit<Common, 'label'>): string | undefined =>
  [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ') ||
  undefined;

/** A labelled text of several lines. */
export function TextArea({
  label,
  hint,
  error,
  value,
  onChange,
}: Common & { readonly value: string; readonly onChange: (value: string) => void }) {
  const id = useId();
  const notes = { ...(hint !== undefined && { hint }), error };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={4}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={describedBy(id, notes)}
      />
      <Notes id={id} {...notes} />
    </div>
  );
}

/** One of a few, from a list. */
export function Select<Value extends string>({
  label,
  hint,
  value,
  options,
  onChange,
}: Omit<Common, 'error'> & {
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, name: string])[];
  readonly onChange: (value: Value) => void;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => {
          const chosen = options.find(([option]) => option === event.target.value);
          if (chosen) onChange(chosen[0]);
        }}
      >
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
      <Notes id={id} {...(hint !== undefined && { hint })} />
    </div>
  );
}

/** Yes or no. */
export function Check({
  label,
  hint,
  checked,
  onChange,
}: Omit<Common, 'error'> & { readonly checked: boolean; readonly onChange: (checked: boolean) => void }) {
  const id = useId();
  return (
    <div className="op-check">
      <label>
        <input
          type="checkbox"
          checked={checked}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span>{label}</span>
      </label>
      <Notes id={id} {...(hint !== undefined && { hint })} />
    </div>
  );
}

/** One of two or three, all in sight. */
export function Choice<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, name: ReactNode])[];
  readonly onChange: (value: Value) => void;
}) {
  const name = useId();
  return (
    <fieldset className="op-choice">
      <legend className="visually-hidden">{label}</legend>
      {options.map(([option, text]) => (
        <label key={option}>
          <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
