import { Button, Field } from '../../ui/index.js';
import { useOperatorText } from '../texts/index.js';
import { type ChartDraft, copyDate, type DateDraft, emptyDate } from './concert-draft.js';
import type { ConcertErrors } from './validate-concert.js';
import { Select } from './fields.js';

interface Props {
  readonly dates: readonly DateDraft[];
  readonly charts: readonly ChartDraft[];
  readonly errors: Pick<ConcertErrors, 'dates' | 'allDates'> | undefined;
  readonly onChange: (dates: readonly DateDraft[]) => void;
}

/** Edits the dates of a new concert and which chart each one uses. */
export function DatesEditor({ dates, charts, errors, onChange }: Props) {
  const { form } = useOperatorText();
  const set = (index: number, part: Partial<DateDraft>): void =>
    onChange(dates.map((date, at) => (at === index ? { ...date, ...part } : date)));
  const options = charts.map(({ key }, index) => [String(key), form.chartNo(index + 1)] as const);
  return (
    <section className="card stack-small">
      <h2>{form.dates}</h2>
      <ol className="op-dates">
        {dates.map((date, index) => (
          <li key={date.key}>
            <fieldset className="op-date">
              <legend className="visually-hidden">{form.date(index + 1)}</legend>
              <Field
                label={`${form.date(index + 1)}: ${form.startsAt}`}
                type="datetime-local"
                value={date.startsAt}
                onChange={(startsAt) => set(index, { startsAt })}
                error={errors?.dates[index]?.startsAt}
              />
              {charts.length > 1 && (
                <Select
                  label={form.chartOfDate}
                  value={String(date.chart)}
                  options={options}
                  onChange={(chart) => set(index, { chart: Number(chart) })}
                />
              )}
              <div className="op-date-tools">
                <Button
                  tone="quiet"
                  aria-label={form.copyDate(index + 1)}
                  onClick={() => onChange(dates.toSpliced(index + 1, 0, copyDate(date)))}
                >
                  {form.copyShort}
                </Button>
                <Button
                  tone="quiet"
                  aria-label={form.removeDate(index + 1)}
                  disabled={dates.length === 1}
                  onClick={() => onChange(dates.filter((each) => each !== date))}
                >
                  {form.remove}
                </Button>
              </div>
            </fieldset>
          </li>
        ))}
      </ol>
      {errors?.allDates !== undefined && (
        <p id="op-all-dates" className="field-error" tabIndex={-1} data-fault>
          {errors.allDates}
        </p>
      )}
      <Button
        tone="quiet"
        onClick={() => onChange([...dates, emptyDate(dates.at(-1)?.chart ?? charts[0]?.key ?? 0)])}
      >
        {form.addDate}
      </Button>
    </section>
  );
}
