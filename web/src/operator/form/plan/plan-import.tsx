import { useId, useState } from 'react';
import { useFormat } from '../../../i18n/index.js';
import { Field, Notice } from '../../../ui/index.js';
import { useOperatorText } from '../../texts/index.js';
import type { ChartDraft } from '../concert-draft.js';
import { FILE_MAX_MB, readPlanFile, type PlanFile, describePlanError } from './plan-file.js';
import { countByCategory } from './plan.js';

const ERRORS_SHOWN_MAX = 8;

interface Props {
  readonly chart: ChartDraft;
  readonly errors: Readonly<Record<string, string | undefined>> | undefined;
  readonly currency: string;
  readonly onFile: (file: PlanFile) => void;
  readonly onPrices: (prices: ChartDraft['prices']) => void;
}

/** Says whether the file can be used, and lists its errors. */
function FileStatus({ file }: { readonly file: PlanFile }) {
  const text = useOperatorText();
  const { form, plan } = text;
  if (file.state === 'valid') return <Notice tone="good">{form.fileRead(file.name)}</Notice>;
  return (
    <Notice tone="bad" title={form.fileErrors(file.name)}>
      {file.state === 'tooLarge' && plan.tooLarge(FILE_MAX_MB)}
      {file.state === 'noSeats' && plan.noSeats}
      {file.state === 'notJson' && plan.notJson(file.line)}
      {file.state === 'invalid' && (
        <ul className="op-bullets">
          {file.errors.slice(0, ERRORS_SHOWN_MAX).map((error, index) => (
            <li key={index}>{describePlanError(error, text)}</li>
          ))}
          {file.errors.length > ERRORS_SHOWN_MAX && (
            <li>{form.moreErrors(file.errors.length - ERRORS_SHOWN_MAX)}</li>
          )}
        </ul>
      )}
    </Notice>
  );
}

/** Imports a seating plan from a file and validates it before anything is sent. */
export function PlanImport({ chart, errors, currency, onFile, onPrices }: Props) {
  const { form } = useOperatorText();
  const format = useFormat();
  const id = useId();
  const [reading, setReading] = useState(false);
  const { file, prices } = chart;
  async function open(chosen: File): Promise<void> {
    setReading(true);
    try {
      onFile(await readPlanFile(chosen));
    } catch {
      // The file was removed after it was chosen.
      onFile({ state: 'notJson', name: chosen.name, line: null });
    } finally {
      setReading(false);
    }
  }
  return (
    <div className="stack-small">
      <p className="soft small" id={`${id}-hint`}>
        {form.fileHint}
      </p>
      <div className="op-file">
        <input
          id={id}
          type="file"
          accept=".json,application/json"
          aria-describedby={`${id}-hint`}
          onChange={(event) => {
            const [chosen] = event.target.files ?? [];
            if (chosen) void open(chosen);
            // Lets the user choose the same file again after correcting it.
            event.target.value = '';
          }}
        />
        <label className="button button-quiet" htmlFor={id}>
          {file ? form.chooseAnother : form.chooseFile}
        </label>
      </div>
      {reading && <p role="status">{form.reading}</p>}
      {file && <FileStatus file={file} />}
      {file?.state === 'valid' && (
        <fieldset className="op-prices">
          <legend>{form.pricePer}</legend>
          {[...countByCategory(file.plan)].map(([name, seats]) => (
            <Field
              key={name}
              label={form.priceOf(name, currency)}
              hint={form.seatsIn(format.number(seats))}
              inputMode="decimal"
              value={prices[name] ?? ''}
              onChange={(price) => onPrices({ ...prices, [name]: price })}
              error={errors?.[name]}
            />
          ))}
        </fieldset>
      )}
    </div>
  );
}
