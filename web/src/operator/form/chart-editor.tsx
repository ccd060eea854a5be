import { Button } from '../../ui/index.js';
import { useOperatorText } from '../texts/index.js';
import { ChartPreview } from './chart-preview.js';
import type { ChartDraft } from './concert-draft.js';
import type { ChartFaults } from './concert-faults.js';
import { Choice } from './fields.js';
import { PlanImport } from './plan-import.js';
import { SectionsEditor } from './sections-editor.js';

interface Props {
  readonly chart: ChartDraft;
  /** Which one it is of all charts; 0 when it is the only one. */
  readonly no: number;
  readonly usedOn: number;
  readonly currency: string;
  readonly faults: ChartFaults | undefined;
  readonly onChange: (part: Partial<ChartDraft>) => void;
  readonly onRemove: () => void;
}

/** One hall: built from sections or read from a file, and drawn beside. */
export function ChartEditor({ chart, no, usedOn, currency, faults, onChange, onRemove }: Props) {
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
      <Choice
        label={form.how}
        value={chart.by}
        options={[
          ['sections', form.bySections],
          ['plan', form.byImport],
        ]}
        onChange={(by) => onChange({ by })}
      />
      {faults?.whole !== undefined && (
        <p className="field-error" role="alert">
          {faults.whole}
        </p>
      )}
      {chart.by === 'sections' ? (
        <SectionsEditor
          sections={chart.sections}
          faults={faults?.sections}
          currency={currency}
          onChange={(sections) => onChange({ sections })}
        />
      ) : (
        <PlanImport
          chart={chart}
          faults={faults?.prices}
          currency={currency}
          onFile={(file) => onChange({ file })}
          onPrices={(prices) => onChange({ prices })}
        />
      )}
      {(chart.by === 'sections' || chart.file?.state === 'fine') && (
        <ChartPreview chart={chart} currency={currency} />
      )}
    </section>
  );
}
