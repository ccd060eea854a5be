import { type ReactNode, useId } from 'react';
import { describedBy, FieldNotes } from '../../ui/index.js';

interface Common {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
}

/** A labelled multi-line input. */
export function TextArea({
  label,
  hint,
  error,
  value,
  rows = 4,
  onChange,
}: Common & {
  readonly value: string;
  readonly rows?: number;
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={rows}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={describedBy(id, { hint, error })}
      />
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  );
}

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
        aria-describedby={describedBy(id, { hint })}
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
      <FieldNotes id={id} hint={hint} />
    </div>
  );
}

export function Checkbox({
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
          aria-describedby={describedBy(id, { hint })}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span>{label}</span>
      </label>
      <FieldNotes id={id} hint={hint} />
    </div>
  );
}

export function RadioGroup<Value extends string>({
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
