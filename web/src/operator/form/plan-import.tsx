import { useId, useState } from 'react';
import { useFormat } from '../../i18n/index.js';
import { Field, Notice } from '../../ui/index.js';
import { useOperatorText } from '../texts/index.js';
import type { ChartDraft } from './concert-draft.js';
import { FILE_MAX_MB, openPlanFile, type PlanFile, sayPlanFault } from './plan-file.js';
import { countByCategory } from './plan.js';

const FAULTS_SHOWN_MAX = 8;

interface Props {
  readonly chart: ChartDraft;
  readonly faults: Readonly<Record<string, string | undefined>> | undefined;
  readonly currency: string;
  readonly onFile: (file: PlanFile) => void;
  readonly onPrices: (prices: ChartDraft['prices']) => void;
}

/** What became of the file, with every fault at its place. */
function Verdict({ file }: { readonly file: PlanFile }) {
  const text = useOperatorText();
  const { form, plan } = text;
  if (file.state === 'fine') return <Notice tone="good">{form.fileRead(file.name)}</Notice>;
  return (
    <Notice tone="bad" title={form.fileFaults(file.name)}>
      {file.state === 'tooLarge' && plan.tooLarge(FILE_MAX_MB)}
      {file.state === 'noSeats' && plan.noSeats}
      {file.state === 'notJson' && plan.notJson(file.line)}
      {file.state === 'faulty' && (
        <ul className="op-bullets">
          {file.faults.slice(0, FAULTS_SHOWN_MAX).map((fault, index) => (
            <li key={index}>{sayPlanFault(fault, text)}</li>
          ))}
          {file.faults.length > FAULTS_SHOWN_MAX && (
            <li>{form.moreFaults(file.faults.length - FAULTS_SHOWN_MAX)}</li>
          )}
        </ul>
      )}
    </Notice>
  );
}

/** A hall drawn elsewhere: its file is checked here, before anything is sent. */
export function PlanImport({ chart, faults, currency, onFile, onPrices }: Props) {
  const { form } = useOperatorText();
  const format = useFormat();
  const id = useId();
  const [reading, setReading] = useState(false);
  const { file, prices } = chart;
  async function open(chosen: File): Promise<void> {
    setReading(true);
    try {
      onFile(await openPlanFile(chosen));
    } catch {
      // The file went away between being chosen and being read.
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
            // The same file, mended, may be chosen again.
            event.target.value = '';
          }}
        />
        <label className="button button-quiet" htmlFor={id}>
          {file ? form.chooseAnother : form.chooseFile}
        </label>
      </div>
      {reading && <p role="status">{form.reading}</p>}
      {file && <Verdict file={file} />}
      {file?.state === 'fine' && (
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
              error={faults?.[name]}
            />
          ))}
        </fieldset>
      )}
    </div>
  );
}
