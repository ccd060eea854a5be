import { Button } from '../../ui/index.js';
import { useOperatorText } from '../texts/index.js';
import { ChartPreview } from './preview/chart-preview.js';
import type { ChartDraft } from './concert-draft.js';
import type { ChartErrors } from './validate-concert.js';
import { RadioGroup } from './fields.js';
import { PlanImport } from './plan/plan-import.js';
import { SectionsEditor } from './sections-editor.js';

interface Props {
  readonly chart: ChartDraft;
  /** The chart's number, from 1; 0 if it is the only chart. */
  readonly no: number;
  readonly usedOn: number;
  readonly currency: string;
  readonly errors: ChartErrors | undefined;
  readonly onChange: (part: Partial<ChartDraft>) => void;
  readonly onRemove: () => void;
}

/** Edits one seat chart, built from sections or imported from a file, with a preview. */
export function ChartEditor({ chart, no, usedOn, currency, errors, onChange, onRemove }: Props) {
  const { form } = useOperatorText();
  return (
    <section className="card stack-small">
      <div className="op-head">
        <div>
          <h2>{no === 0 ? form.chart : form.chartNo(no)}</h2>
          {no > 0 && <p className="soft small">{form.usedOn(usedOn)}</p>}
        </div>
        {no > 0 && (
          <Button tone="quiet" aria-label={form.removeChart(no)} onClick={onRemove}>
            {form.remove}
          </Button>
        )}
      </div>
      <RadioGroup
        label={form.seatSource}
        value={chart.by}
        options={[
          ['sections', form.bySections],
          ['plan', form.byImport],
        ]}
        onChange={(by) => onChange({ by })}
      />
      {errors?.whole !== undefined && (
        <p id={`op-chart-${chart.key}`} className="field-error" tabIndex={-1} data-fault>
          {errors.whole}
        </p>
      )}
      {chart.by === 'sections' ? (
        <SectionsEditor
          sections={chart.sections}
          errors={errors?.sections}
          currency={currency}
          onChange={(sections) => onChange({ sections })}
        />
      ) : (
        <PlanImport
          chart={chart}
          errors={errors?.prices}
          currency={currency}
          onFile={(file) => onChange({ file })}
          onPrices={(prices) => onChange({ prices })}
        />
      )}
      {(chart.by === 'sections' || chart.file?.state === 'valid') && (
        <ChartPreview chart={chart} currency={currency} />
      )}
    </section>
  );
}
